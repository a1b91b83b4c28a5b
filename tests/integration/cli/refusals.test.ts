import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { WireClient } from "../../support/hub/wire-client.js";

const HELLO = {
  type: "hello",
  protocolVersion: 1,
  appName: "shop",
  url: "",
  title: "Shop",
  userAgent: "test",
};

/** A hub with one app, which answers every command with success. */
async function hubWithApp(): Promise<{ home: string; app: WireClient; url: string }> {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const app = await WireClient.connect(ready.hub, { role: "app", sessionId: "shop" });
  app.socket.on("message", (data) => {
    const { requestId, origin } = JSON.parse(String(data)) as { requestId?: string; origin?: string };
    if (origin !== "app" && requestId !== undefined)
      app.send({ type: "command_result", requestId, success: true, value: { since: 1 } });
  });
  app.send({ ...HELLO, instanceId: "one" });
  await until(async () => (await runCli(["sessions", "--json", "--home", home])).stdout.includes('"shop"'));
  return { home, app, url: ready.hub };
}

describe("what cannot be done is refused, not reported as done", () => {
  it("only a recording that runs is stopped, and pages then keep no chains for it", async () => {
    const { home, app } = await hubWithApp();
    const record = (...words: string[]) => runCli(["record", ...words, "shop", "--home", home]);
    expect(await record("stop")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("shop is not being recorded; debug-bridge record start shop"),
    });
    expect(await record("start")).toMatchObject({ code: 0 });
    const chains = (): unknown[] =>
      app.received.filter(({ type }) => type === "keep_chains").map(({ forMs }) => forMs);
    await until(() => chains().length > 0);
    app.send({ type: "console", level: "log", args: ["saved"] });
    const stopped = await record("stop");
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^debug_\S+; /) });
    await until(() => chains().at(-1) === 0);
    // The one that has ended is not ended again.
    expect(await record("stop")).toMatchObject({ code: 1, stdout: "" });
  });

  it("a page whose address nobody knows is not loaded again, and not recorded either", async () => {
    const { home } = await hubWithApp();
    expect(await runCli(["record", "start", "shop", "--reload", "--home", home])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot be loaded again; record it without reloading"),
    });
    expect(await runCli(["record", "stop", "shop", "--home", home])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not being recorded"),
    });
  });

  it("a type of records that does not exist is named", async () => {
    const { home } = await hubWithApp();
    const logs = (types: string) => runCli(["logs", "shop", `types=${types}`, "--home", home]);
    expect(await logs("foo")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no record type "foo"; use console, error'),
    });
    expect(await logs("state_update")).toMatchObject({ code: 0 });
  });

  it("a hub without browsers says so at once, and an unknown path is not an unknown session", async () => {
    const home = temporaryFolder();
    const { ready } = await startUp(["--auth", "none"], home);
    const answer = await fetch(`${ready.hub}/v1/browsers`, { method: "POST", body: "{}" });
    expect(await answer.json()).toMatchObject({
      error: { code: "not_supported", message: expect.stringContaining("--browsers COUNT") },
    });
    const nowhere = await fetch(`${ready.hub}/v1/nope`);
    expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { error: { code: "unknown_type" } }]);
  });
});

describe("options that would have no effect are refused", () => {
  const home = (): string[] => ["--home", temporaryFolder()];
  it.each([
    [["up", "--bus-replicas", "3"], "--bus-replicas needs --bus"],
    [["up", "--bus-name", "a"], "--bus-name needs --bus"],
    [["up", "--browser-label", "place=eu"], "add --browsers COUNT or --browser-at URL"],
    [["up", "--auth", "none", "--host", "0.0.0.0"], "--auth none works on loopback only"],
    [["up", "--chrome", "foo"], "foo"],
    [["mcp", "--http", "--temp-chrome"], "--page and --temp-chrome work over stdio only"],
    [["mcp", "--http", "--page", "shop"], "--page and --temp-chrome work over stdio only"],
    [["mcp", "--relay-port", "0"], "add --port"],
    [["console", "--console-port", "0"], "add --port"],
    [["console", "--filter", "levle:error"], "did you mean level:?"],
    [["extension", "--hub", "http://127.0.0.1:1"], "add --pair"],
    [["browser", "--headed", "--hub", "http://127.0.0.1:1", "<type>stop</type>"], "leave out --hub"],
    [["record", "list", "--hub", "http://127.0.0.1:1"], "unknown option '--hub'"],
    [["up", "--foo"], "(run debug-bridge up --help for the options)"],
    [["eval"], "eval needs CODE; see debug-bridge eval --help"],
    [["why", "shop", "y"], '"y" is not the number of a record; debug-bridge logs shows them'],
    [["pick", "--timeout", "3"], "A time looks like 500ms, 30s or 5m"],
  ])("%j", async (words, reason) => {
    expect(await runCli([...words, ...home()])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(reason),
    });
  });

  it("a hub that cannot write the log of its relay ends, and frees its ports", async () => {
    const file = join(temporaryFolder(), "missing", "log");
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    expect(await runCli(["up", "--json", "--cdp-log", file, ...ports, ...home()])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`cannot be written to ${file}`),
    });
  });
});
