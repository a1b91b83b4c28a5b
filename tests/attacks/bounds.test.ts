import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { until } from "../fixtures.js";
import { ConsoleClient } from "../support/console/console-client.js";
import { hello, type TestHub, testHub } from "../support/hub/hub.js";

const MB = 1024 * 1024;

/** A connection that sends the same text without end; how it ended, and how much it received before. */
async function flood(url: string, text: string): Promise<{ code: number; reason: string; answers: number }> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  let answers = 0;
  socket.on("message", () => answers++);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise((resolve) => socket.on("open", resolve));
  for (let sent = 0; sent < 20_000 && socket.readyState === WebSocket.OPEN; sent++) {
    socket.send(text);
    if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { ...(await closed), answers };
}

describe("V13: a peer that sends nothing but invalid frames is cut off, with one reason", () => {
  const wires: [string, (hub: TestHub) => string][] = [
    ["app", (hub) => `${hub.url}/debug?role=app&sessionId=s`],
    ["agent", (hub) => `${hub.url}/debug?role=agent&sessionId=s&token=${hub.token}`],
    ["console", (hub) => `${hub.consoleUrl}?token=${hub.token}`],
    ["CDP client", (hub) => hub.relay.clientUrl],
  ];
  it.each(wires)("%s", async (_, urlOf) => {
    const hub = await testHub();
    const { code, reason, answers } = await flood(urlOf(hub).replace("http", "ws"), "not json");
    expect({ code, reason }).toEqual({
      code: 1008,
      reason: "too many invalid messages; fix the sender, then connect again",
    });
    expect(answers).toBeLessThan(250);
  });
});

describe("V13: an answer that is refused is not answered", () => {
  const refused = (type: unknown): string =>
    JSON.stringify({
      type: "command_result",
      requestType: type,
      success: false,
      sessionId: "s",
      timestamp: 1,
    });

  it("so a peer that answers everything, itself refused, starts no loop [APP-092]", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.socket.on("message", (data) => app.sendText(refused(JSON.parse(String(data)).type)));
    app.send({ type: "nonsense" });
    await app.next("bridge_error");
    await until(() => hub.audit().includes("origin"));
    // Messages are handled in order: what the hub had to say to the answer would come before this.
    app.send({ type: "nonsense too" });
    await until(() => app.received.length === 2);
    expect(app.received.map(({ message }) => message)).toEqual([
      expect.stringContaining('"nonsense"'),
      expect.stringContaining('"nonsense too"'),
    ]);
  });

  it("and one that sends nothing else is disconnected, with the reason and one line in the audit log [APP-093]", async () => {
    const hub = await testHub();
    const { code, reason, answers } = await flood(
      `${hub.url}/debug?role=app&sessionId=s`.replace("http", "ws"),
      refused("click"),
    );
    expect({ code, answers }).toEqual({ code: 1008, answers: 0 });
    expect(reason).toMatch(
      /^too many invalid messages; fix the sender, then connect again\. The last: origin: /,
    );
    await hub.close();
    const lines = hub.audit().trim().split("\n");
    expect(lines.filter((line) => line.includes("closed: too many invalid messages"))).toHaveLength(1);
    expect(lines.length).toBeLessThan(5);
  });
});

describe("V13: what a peer makes the hub keep or read is bounded", () => {
  it("a batch of wrong items on the console wire gets one error", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.socket.send(JSON.stringify(Array.from({ length: 1_000 }, () => ({ type: "nonsense" }))));
    const error = await client.next("error");
    expect(error.payload).toMatchObject({ details: { wrong: 20 } });
    client.send("ping", { id: "p1" });
    await client.next("pong");
    expect(client.received.filter(({ type }) => type === "error")).toHaveLength(1);
  });

  it("a console client that never reads its pongs is disconnected", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.socket.pause();
    const text = JSON.stringify(client.envelope("ping", { id: "p".repeat(200) }));
    let isGone = false;
    client.socket.on("error", () => {
      isGone = true;
    });
    client.socket.on("close", () => {
      isGone = true;
    });
    await until(async () => {
      for (let i = 0; i < 1_000; i++) client.socket.send(text);
      await new Promise((resolve) => setImmediate(resolve));
      if (client.socket.bufferedAmount > 64 * MB) client.socket.resume();
      return isGone;
    });
  });

  it("a long body is refused by its length, before it is sent", async () => {
    const hub = await testHub();
    (await hub.app()).send(hello);
    const { port } = new URL(hub.url);
    const socket = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /v1/sessions/s/commands HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${hub.token}\r\n` +
        `content-length: ${300 * MB}\r\n\r\n`,
    );
    let head = "";
    socket.on("data", (data) => {
      head += String(data);
    });
    await until(() => head.includes("\r\n\r\n"));
    expect(head).toMatch(/^HTTP\/1.1 413/);
  });

  it("a body without a length is read up to the limit", async () => {
    const hub = await testHub();
    (await hub.app()).send(hello);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(MB));
        sent += MB;
        if (sent >= 300 * MB) controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const status = await hub.api("/v1/sessions/s/commands", init).then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(60 * MB);
  });

  it("unfinished messages of all apps together are limited: those with the most are disconnected", async () => {
    const hub = await testHub();
    const apps = await Promise.all(Array.from({ length: 10 }, (_, i) => hub.app(`s${i}`)));
    let gone = 0;
    for (const app of apps) void app.closed.then(() => gone++);
    const part = "x".repeat(4 * MB);
    for (const app of apps) app.socket.send(part, { fin: false });
    await until(() => gone >= 4);
    const good = await hub.app("good");
    good.send({ ...hello, instanceId: "i1" });
    await good.next("welcome");
  });

  it("an agent that joins late gets what is kept of a page that reported too much, and is not disconnected", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send({ ...hello, instanceId: "i1" });
    const state = "x".repeat(MB);
    for (let i = 0; i < 40; i++) app.send({ type: "state_update", scope: `scope-${i}`, state });
    await until(async () => (await (await hub.api("/v1/sessions/s")).json()).sequence === 41);
    const agent = await hub.agent();
    await agent.next("session_status");
    const scopes = agent.received.filter(({ type }) => type === "state_update");
    expect(scopes.length).toBeGreaterThan(0);
    expect(scopes.length).toBeLessThan(8);
    expect(scopes.at(-1)?.scope).toBe("scope-39");
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });

  it("recordings of many short sessions keep no files open, and their number is limited", async () => {
    const hub = await testHub({ record: true });
    const before = readdirSync("/proc/self/fd").length;
    for (let batch = 0; batch < 12; batch++) {
      const apps = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          const app = await hub.app(`short-${batch}-${i}`);
          app.send({ ...hello, instanceId: `i-${i}` });
          await app.next("welcome");
          return app;
        }),
      );
      for (const app of apps) app.socket.terminate();
      await Promise.all(apps.map(({ closed }) => closed));
    }
    await until(() => readdirSync("/proc/self/fd").length < before + 80);
    const folders = readdirSync(join(hub.home, "debug", "sessions")).length;
    expect(folders).toBeGreaterThan(0);
    expect(folders).toBeLessThanOrEqual(500);
  });
});
