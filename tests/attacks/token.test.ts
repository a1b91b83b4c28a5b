import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connect, findHub, foundHub, HubClient, loadPairingKey, loadToken } from "@debug-bridge/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { CLI, runCli, start, startUp, temporaryFolder, until } from "../fixtures.js";
import { CdpClient } from "../integration/relay/cdp-client.js";
import { FakeExtension, tab } from "../integration/relay/fake-extension.js";
import { ConsoleClient } from "../support/console/console-client.js";
import { testHub } from "../support/hub/hub.js";

/** A program that listens in the place of the hub, plays along, and writes down everything that it is sent. */
class RogueHub {
  seen = "";
  requests = 0;

  private constructor(readonly server: Server) {}

  static async start(port = 0): Promise<RogueHub> {
    const rogue = new RogueHub(createServer());
    rogue.server.on("connection", (socket) => {
      socket.on("data", (data) => {
        rogue.seen += data.toString("latin1");
      });
    });
    rogue.server.on("request", (request, response) => {
      rogue.requests++;
      request.resume();
      response.setHeader("content-type", "application/json");
      const body = { ok: true, name: "debug-bridge", version: "0.1.0", sessions: [], proof: "00".repeat(32) };
      response.end(JSON.stringify(body));
    });
    rogue.server.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n"));
    await new Promise((resolve, reject) =>
      rogue.server.once("error", reject).listen(port, "127.0.0.1", () => resolve(undefined)),
    );
    onTestFinished(() => rogue.close());
    return rogue;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A home with secrets, in which a rogue hub is announced as if it were ours. */
function homeWith(rogue: RogueHub): { home: string; secrets: string[] } {
  const home = temporaryFolder();
  const { token } = loadToken(home);
  const secrets = [token, loadPairingKey(home)];
  mkdirSync(join(home, "hubs"), { recursive: true });
  const { port } = rogue.server.address() as AddressInfo;
  const file = {
    ...{ url: rogue.url, pid: process.pid, startedAt: new Date().toISOString(), version: "0.1.0" },
    ports: { hub: port, console: port, relay: port },
    cdpUrl: `ws://127.0.0.1:${port}/cdp?token=${token}`,
  };
  writeFileSync(join(home, "hubs", `${process.pid}.json`), JSON.stringify(file));
  return { home, secrets };
}

const COMMANDS: readonly string[][] = [
  ["sessions"],
  ["observe", "shop"],
  ["act", "shop", "click", "--text", "Save"],
  ["logs", "shop"],
  ["eval", "shop", "1"],
  ["screenshot", "shop"],
  ["console", "--since", "1m"],
  ["open", "--print"],
  ["doctor"],
  ["extension", "--pair"],
];

describe("V2: a program that listens on the hub's port", () => {
  for (const where of ["asked for with --hub", "announced in the home"] as const)
    it(`gets the token from no command of ours, ${where}`, async () => {
      const rogue = await RogueHub.start();
      const { home, secrets } = homeWith(rogue);
      const more = where === "announced in the home" ? [] : ["--hub", rogue.url];
      await Promise.all(COMMANDS.map((args) => runCli([...args, ...more, "--home", home])));
      expect(rogue.requests).toBeGreaterThan(COMMANDS.length / 2);
      for (const secret of secrets) expect(rogue.seen).not.toContain(secret);
    });

  it("gets the token neither from the MCP server nor from the typed clients", async () => {
    const rogue = await RogueHub.start();
    const { home, secrets } = homeWith(rogue);
    const token = secrets[0] as string;
    await expect(connect({ sessionId: "shop", hub: rogue.url, home })).rejects.toThrow();
    await expect(connect({ sessionId: "shop", hub: rogue.url, token })).rejects.toThrow();
    const client = new HubClient({ hub: rogue.url, token });
    await client.sessions().catch(() => {});
    await client.session("shop").catch(() => {});
    for await (const _text of client.recordTexts({ types: ["console"], since: 0 })) break;
    expect(await findHub({ home })).toBeUndefined();
    const mcp = start(process.execPath, [
      ...["-e", MCP_CLIENT, CLI, "mcp", "--hub", rogue.url, "--home", home],
    ]);
    await mcp.finished;
    expect(rogue.requests).toBeGreaterThan(4);
    for (const secret of secrets) expect(rogue.seen).not.toContain(secret);
  });

  it("gets it neither when it takes the port of a hub that was found before", async () => {
    const hub = await testHub();
    const { token } = hub;
    const port = Number(new URL(hub.url).port);
    const client = new HubClient({ hub: hub.url, token });
    expect(await client.sessions()).toEqual([]);
    const found = await foundHub(hub.url, token);
    await hub.close();
    const rogue = await RogueHub.start(port);
    await client.sessions().catch(() => {});
    await client.command("shop", { type: "click" }).catch(() => {});
    await client.session("shop").catch(() => {});
    const stale = new HubClient({ hub: async () => found as NonNullable<typeof found> });
    await stale.sessions().catch(() => {});
    await stale.session("shop").catch(() => {});
    expect(rogue.requests).toBeGreaterThanOrEqual(4);
    expect(rogue.seen).not.toContain(token);
  });
});

/** Speaks to an MCP server over stdio: starts it, calls a tool, and ends it. */
const MCP_CLIENT = `
const { spawn } = require("node:child_process");
const child = spawn(process.execPath, process.argv.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const clientInfo = { name: "test", version: "1" };
send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
let text = "";
child.stdout.on("data", (data) => {
  text += data;
  if (text.includes('"id":1') && !text.includes('"id":2')) {
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "sessions", arguments: {} } });
  }
  if (text.includes('"id":2')) child.stdin.end();
});
child.on("exit", () => process.exit());
`;

describe("V2: debug-bridge token rotate", () => {
  it("kills the old token at once, on every wire and in every file, and keeps the extension", async () => {
    const { ready } = await startUp();
    const home = join(ready.tokenFile, "..");
    const { token: old } = loadToken(home);
    const headers = { authorization: `Bearer ${old}` };
    const extension = await FakeExtension.connect(ready.relay, [tab(1)]);
    const closed: Promise<unknown>[] = [];
    const follow = (socket: WebSocket): void =>
      void closed.push(new Promise((resolve) => socket.once("close", resolve)));
    follow((await CdpClient.connect(`${ready.relay}/cdp?token=${old}`)).socket);
    follow((await ConsoleClient.greeted(ready.console)).socket);
    const agentUrl = `${ready.hub.replace("http", "ws")}/debug?role=agent&sessionId=tab-1`;
    const agent = new WebSocket(agentUrl, { headers });
    await new Promise((resolve) => agent.once("open", resolve));
    follow(agent);
    const stream = await fetch(`${ready.hub}/v1/stream`, { headers });
    closed.push(stream.text().catch(() => {}));
    const client = new HubClient({
      hub: async () => (await findHub({ home })) as never,
    });
    const sessions = await until(async () => {
      const found = await client.sessions();
      return found.length > 0 && found;
    });

    const { code, stdout } = await runCli(["token", "rotate", "--home", home]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`in use by ${ready.hub}`)]);
    await Promise.all(closed);
    const { token } = loadToken(home);
    expect(token).not.toBe(old);
    expect((await fetch(`${ready.hub}/v1/sessions`, { headers })).status).toBe(401);
    await expect(CdpClient.connect(`${ready.relay}/cdp?token=${old}`)).rejects.toThrow("HTTP 401");
    const refused = new WebSocket(agentUrl, { headers });
    expect(
      await new Promise((resolve) => refused.once("error", ({ message }) => resolve(message))),
    ).toContain("401");
    for (const name of ["cdp-url", "token"])
      expect(readFileSync(join(home, name), "utf8")).not.toContain(old);
    expect(readFileSync(join(home, "cdp-url"), "utf8")).toContain(token);
    // A client of ours continues with the new one.
    expect((await client.sessions()).map(({ id }) => id)).toEqual(sessions.map(({ id }) => id));
    expect(extension.socket.readyState).toBe(WebSocket.OPEN);
    await until(() => readFileSync(join(home, "audit.jsonl"), "utf8").includes("token replaced"));
  });

  it("with --pairing disconnects the extension, whose old key is refused from then on", async () => {
    const { ready } = await startUp();
    const home = join(ready.tokenFile, "..");
    const extension = await FakeExtension.connect(ready.relay, [tab(1)]);
    const closed = new Promise((resolve) => extension.socket.once("close", resolve));
    expect((await runCli(["extension", "--json", "--home", home])).code).toBe(0);
    const old = loadPairingKey(home);
    const config = (): string => readFileSync(join(home, "extension", "config.json"), "utf8");
    expect(config()).toContain(old);
    expect((await runCli(["token", "rotate", "--pairing", "--home", home])).code).toBe(0);
    await closed;
    expect(loadPairingKey(home)).not.toBe(old);
    expect(config()).toContain(loadPairingKey(home));
    const again = await FakeExtension.connect(ready.relay, [tab(1)]);
    expect(again.count("listTabs")).toBe(1);
  });
});
