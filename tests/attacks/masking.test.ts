import { expect, it } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../fixtures.js";
import { answer, hello, testHub } from "../support/hub/hub.js";
import { WireClient } from "../support/hub/wire-client.js";

const TOKEN = "s3cr3t-t0k3n-of-ada";
const URL_WITH_SECRETS = `http://ada:${TOKEN}@localhost:3000/cb?access_token=${TOKEN}&page=2#id_token=${TOKEN}`;

it("low: a token in the URL of navigate is in no record and not in the audit log", async () => {
  const hub = await testHub();
  const app = await hub.app();
  app.send(hello);
  answer(app, () => ({ success: true }));
  const agent = await hub.agent();
  const result = agent.command({ type: "navigate", url: URL_WITH_SECRETS });
  expect(await result).toMatchObject({ success: true });
  const { text } = await hub.api("/v1/sessions/s/events").then(async (r) => ({ text: await r.text() }));
  expect(text).toContain("page=2");
  expect(text + hub.audit()).not.toContain(TOKEN);
});

it("low: typed text is in no record of a result", async () => {
  const hub = await testHub();
  const app = await hub.app();
  app.send(hello);
  const message = `e1 textbox "Name" has the value "${TOKEN}"`;
  answer(app, () => ({ success: true, applied: true, value: { value: TOKEN }, message }));
  const agent = await hub.agent();
  const result = await agent.command({ type: "type", target: { ref: "e1" }, text: TOKEN });
  // The agent that typed it sees it; the timeline, which others read and which is kept, does not.
  expect(JSON.stringify(result)).toContain(TOKEN);
  const text = await (await hub.api("/v1/sessions/s/events")).text();
  expect(text).toContain("command_result");
  expect(text).not.toContain(TOKEN);
});

it("V11: no escape sequence of a page reaches the terminal of any command", async () => {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const app = await WireClient.connect(ready.hub, { role: "app", sessionId: "s" });
  const evil = "\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31mevil\u0090\r\u202e";
  app.send({ ...hello, title: evil, appName: evil });
  app.send({ type: "console", level: "log", args: [evil] });
  app.send({ type: "error", message: evil, stack: `Error: ${evil}` });
  let fails = true;
  answer(app, () =>
    fails
      ? {
          success: false,
          error: "target_not_found",
          message: evil,
          details: { candidates: [{ id: "save", selector: "#save", role: "button", name: evil }] },
        }
      : { success: true, message: evil, result: evil, value: { version: 1, url: `http://a.test/${evil}` } },
  );
  await until(async () =>
    (await runCli(["sessions", "--hub", ready.hub, "--home", home])).stdout.includes("s"),
  );
  const expectSafe = async (args: readonly string[]): Promise<void> => {
    const { stdout, stderr } = await runCli([...args, "--hub", ready.hub, "--home", home]);
    // The text itself is there, so its escape sequences were.
    expect(`${stdout}${stderr}`, args.join(" ")).toContain("evil");
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  };
  const asked = [
    ["observe", "s"],
    ["find", "s", "text=Save"],
    ["eval", "s", "1"],
  ];
  for (const args of [
    ["sessions"],
    ["logs", "s"],
    ["why", "s"],
    ["console", "--since", "10m"],
    ["act", "s", "click", "Save"],
    ...asked,
  ])
    await expectSafe(args);
  fails = false;
  for (const args of asked) await expectSafe(args);
});
