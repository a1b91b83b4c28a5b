import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { checkHub, connect, findHubs, loadToken } from "@debug-bridge/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, type ReadyLine, runCli, start, startUp, temporaryFolder, until } from "../../fixtures.js";
import { busyTurns, startAgent } from "../../support/agents/agents.js";
import { hello, testHub } from "../../support/hub/hub.js";
import { WireClient } from "../../support/hub/wire-client.js";

async function addApp(ready: ReadyLine, sessionId: string): Promise<WireClient> {
  const app = await WireClient.connect(ready.hub, { role: "app", sessionId });
  app.send({ ...hello, appName: "Shop" });
  app.send({ type: "console", level: "log", args: [`line of ${sessionId}`] });
  return app;
}

describe("several hubs of one home", () => {
  it("keep their own files, and commands find the sessions of all of them", async () => {
    const home = temporaryFolder();
    const first = await startUp([], home);
    const second = await startUp([], home);
    const cli = (...args: string[]) => runCli([...args, "--home", home]);
    await addApp(first.ready, "old");
    await addApp(second.ready, "new");
    expect((await findHubs({ home })).map(({ url }) => url)).toEqual([second.ready.hub, first.ready.hub]);

    const { sessions } = JSON.parse((await cli("sessions", "--json")).stdout) as {
      sessions: { id: string; hub: string }[];
    };
    expect(sessions.map(({ id, hub }) => [id, hub]).sort()).toEqual([
      ["new", second.ready.hub],
      ["old", first.ready.hub],
    ]);
    for (const name of ["old", "new"]) expect((await cli("logs", name)).stdout).toContain(`line of ${name}`);
    const unnamed = await cli("logs");
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining("2 sessions are connected") });

    const cdpUrl = (): string => readFileSync(join(home, "cdp-url"), "utf8");
    expect(cdpUrl()).toContain(second.ready.relay);
    second.child.kill("SIGTERM");
    await second.finished;
    expect(cdpUrl()).toContain(first.ready.relay);
    expect((await cli("logs")).stdout).toContain("line of old");

    // A hub that was killed leaves a file, which is ignored and removed.
    const killed = await startUp([], home);
    killed.child.kill("SIGKILL");
    await killed.finished;
    expect((await cli("logs")).stdout).toContain("line of old");
    expect(existsSync(join(home, "hubs", `${killed.child.pid}.json`))).toBe(false);
  });

  it("are all checked by doctor, whatever their ports", async () => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    const { stdout } = await runCli(["doctor", "--home", home]);
    expect(stdout).toMatch(new RegExp(`✓ hub +${ready.hub}, version`));
  });
});

describe("the token", () => {
  it("is not needed to let a hub prove that it knows it", async () => {
    const hub = await testHub();
    const nonce = "n".repeat(32);
    const health = (await (await fetch(`${hub.url}/healthz?nonce=${nonce}`)).json()) as { proof: string };
    expect(health.proof).toBe(createHmac("sha256", hub.token).update(nonce).digest("hex"));
    for (const wrong of ["", "?nonce=short"])
      expect(await (await fetch(`${hub.url}/healthz${wrong}`)).json()).not.toHaveProperty("proof");
    expect(await checkHub(hub.url, hub.token)).toMatchObject({ isProven: true });
    expect(await checkHub(hub.url, "x".repeat(43))).toMatchObject({ isProven: false });
  });

  it("never reaches a program that only pretends to be a hub", async () => {
    const home = temporaryFolder();
    const { token } = loadToken(home);
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.end(JSON.stringify({ ok: true, name: "debug-bridge", version: "1", proof: "0".repeat(64) }));
    });
    server.on("upgrade", (request, socket) => {
      seen.push(`${request.url} ${JSON.stringify(request.headers)}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    // An announcement of a process that lives and is no hub.
    mkdirSync(join(home, "hubs"));
    const file = { url, pid: process.pid, ports: { hub: port, console: 1, relay: port }, version: "1" };
    const cdpUrl = `ws://127.0.0.1:${port}/cdp?token=${token}`;
    writeFileSync(
      join(home, "hubs", `${process.pid}.json`),
      JSON.stringify({ ...file, startedAt: new Date().toISOString(), cdpUrl }),
    );
    for (const args of [["sessions"], ["observe"], ["console", "--since", "1m", "--hub", url], ["open"]])
      await runCli([...args, "--home", home]);
    await runCli(["sessions", "--hub", url, "--home", home]);
    await runCli(["observe", "s", "--hub", url, "--home", home]);
    await runCli(["browser", "<type>stop</type>", "--hub", url, "--home", home]);
    await expect(connect({ hub: url, home, sessionId: "s" })).rejects.toThrow();
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.join("\n")).not.toContain(token);
  });
});

it("an empty DEBUG_BRIDGE_HOME means the default everywhere", async () => {
  const user = temporaryFolder();
  const env = { HOME: user, DEBUG_BRIDGE_HOME: "" };
  const { stdout } = await runCli(["doctor", "--json"], env);
  expect(stdout).toContain(join(user, ".debug-bridge"));
  const { stderr } = await runCli(["agent", "step"], env);
  expect(stderr).toContain(join(user, ".debug-bridge"));
});

it("up prints the addresses of the dashboard and the chat, without the token when output is redirected", async () => {
  const home = temporaryFolder();
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const { output } = start(process.execPath, [CLI, "up", ...ports, "--home", home]);
  await until(() => output.stdout.includes("Ctrl+C"));
  const [, hub = ""] = /dashboard +(http:\/\/127\.0\.0\.1:\d+)\/#token=…\n/.exec(output.stdout) ?? [];
  expect(output.stdout).toContain(`${hub}/chat#token=…\n`);
  expect(output.stdout).not.toContain(readFileSync(join(home, "token"), "utf8").trim());
  expect(await (await fetch(`${hub}/chat`)).text()).toContain("chat.js");
});

it("open prints the address of the dashboard, without the token when output is redirected", async () => {
  const home = temporaryFolder();
  expect(await runCli(["open", "--home", home])).toMatchObject({ code: 1 });
  const { ready } = await startUp([], home);
  expect(await runCli(["open", "--home", home])).toMatchObject({ code: 0, stdout: `${ready.hub}/\n` });
  expect(JSON.parse((await runCli(["open", "--home", home, "--json"])).stdout)).toEqual({
    url: `${ready.hub}/`,
  });
});

it("agents are controlled over a hub as over their files", async () => {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const agent = await startAgent(home, busyTurns(1_000));
  const elsewhere = temporaryFolder();
  writeFileSync(join(elsewhere, "token"), readFileSync(ready.tokenFile));
  const cli = (...args: string[]) =>
    runCli(["agent", ...args, "--hub", ready.hub, "--home", elsewhere, "--json"]);
  await until(
    async () =>
      JSON.parse((await runCli(["sessions", "--json", "--hub", ready.hub, "--home", elsewhere])).stdout)
        .sessions.length > 0,
  );
  expect(JSON.parse((await cli("pause", agent.id)).stdout)).toMatchObject({ success: true, type: "pause" });
  await agent.seen("paused");
  expect(JSON.parse((await cli("inspect", "tools")).stdout)).toMatchObject({ success: true });
  expect(await cli("rewind", "nowhere")).toMatchObject({ code: 1 });
});

it("no command prints a control character of a page", async () => {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const hostile = "a\u001b[31mb\u009b2Jc\u202ed\u0007";
  const app = await WireClient.connect(ready.hub, { role: "app", sessionId: "s" });
  app.send({ ...hello, title: hostile, appName: hostile });
  app.send({ type: "console", level: "error", args: [hostile] });
  app.send({ type: "error", message: hostile, stack: hostile });
  for (const args of [["sessions"], ["logs", "s"], ["console", "--since", "1m"]])
    for (const more of [[], ["--json"]]) {
      const { code, stdout } = await runCli([...args, ...more, "--home", home]);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
});
