import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { answer, hello, testHub } from "../../support/hub/hub.js";

const BASE = '"sessionId":"s","timestamp":1,"origin":"app"';
const ok = { type: "console", level: "log", args: ["still here"] };

describe("bad input on the app wire", () => {
  it.each([
    ["text that is not JSON", "{nope", "invalid_message"],
    ["JSON that is no object", "[1,2]", "invalid_message"],
    ["an unknown type", `{${BASE},"type":"teleport"}`, "unknown_type"],
    ["a missing field", `{${BASE},"type":"console","level":"log"}`, "invalid_message"],
    ["a wrong field", `{${BASE},"type":"console","level":"loud","args":[]}`, "invalid_message"],
    [
      "another version",
      `{${BASE},"type":"hello","url":"u","userAgent":"u","protocolVersion":2}`,
      "unsupported_version",
    ],
    ["a message of 5 MB", `{${BASE},"type":"dom_snapshot","html":"${"x".repeat(5_000_000)}"}`, "too_large"],
    [
      "depth 10,000",
      `{${BASE},"type":"state_update","scope":"x","state":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
      "too_large",
    ],
    [
      "an agent's message from an app",
      `{${BASE.replace("app", "agent")},"type":"click","target":{"id":"x"}}`,
      "unknown_type",
    ],
    [
      "a foreign origin",
      `{${BASE.replace("app", "hub")},"type":"console","level":"log","args":[]}`,
      "invalid_message",
    ],
  ])(
    "%s is answered with an error, not forwarded, and the connection continues [APP-004, APP-074]",
    async (_what, text, code) => {
      const hub = await testHub();
      const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
      app.sendText(text);
      expect(await app.next("bridge_error")).toMatchObject({ code, origin: "hub" });
      app.send(ok);
      await agent.next("console");
      expect(agent.received.filter(({ type }) => type !== "session_status")).toHaveLength(1);
    },
  );

  it("invalid UTF-8 ends the connection that sent it, and no other", async () => {
    const hub = await testHub();
    const [bad, app, agent] = await Promise.all([hub.app(), hub.app(), hub.agent()]);
    bad.sendText(Buffer.from([0x22, 0xc3, 0x28, 0x22]));
    expect((await bad.closed).code).toBe(1007);
    app.send(ok);
    await agent.next("console");
  });

  it("is refused from agents too, with the wrong field in the error, and is in the audit log", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    agent.send({ type: "click", target: {} });
    expect(await agent.next("bridge_error")).toMatchObject({
      code: "invalid_message",
      details: { field: "target" },
    });
    agent.send({ type: "hello", url: "x", userAgent: "y" });
    expect(await agent.next("bridge_error", ({ code }) => code === "unknown_type")).toBeTruthy();
    await until(() => hub.audit().split("\n").length === 3);
  });

  it("is answered as a request when it was one, so that its sender does not wait", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    agent.send({ type: "clik", target: { id: "x" }, requestId: "r1" });
    expect(await agent.next("command_result")).toMatchObject({
      requestId: "r1",
      requestType: "clik",
      success: false,
      error: "unknown_type",
      message: expect.stringContaining("click"),
    });
    agent.send({ type: "clack" });
    expect(await agent.next("command_result", ({ requestType }) => requestType === "clack")).toMatchObject({
      success: false,
      error: "unknown_type",
    });
    agent.send({ type: "click", requestId: "r2" });
    expect(await agent.next("command_result", ({ requestId }) => requestId === "r2")).toMatchObject({
      error: "invalid_message",
      details: { field: "target" },
    });
  });

  it("that was an app's answer ends the command at once, with what is wrong with it", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    app.send(hello);
    answer(app, () => ({ success: "yes" }));
    expect(await agent.command({ type: "click", target: { id: "x" } })).toMatchObject({
      ...{
        success: false,
        error: "outcome_unknown",
        message: expect.stringMatching(/not valid \(success: /),
      },
    });
    await until(() => hub.audit().includes("outcome_unknown"));
  });

  it("a connection with invalid parameters is refused with the reason", async () => {
    const hub = await testHub();
    await expect(hub.app("s", { query: { role: "king" } })).rejects.toMatchObject({
      status: 400,
      body: expect.stringContaining("role=app or role=agent"),
    });
    await expect(hub.app("../../etc", {})).rejects.toMatchObject({
      status: 400,
      body: expect.stringContaining("sessionId"),
    });
    await expect(hub.agent("s", { query: { since: "yesterday" } })).rejects.toMatchObject({ status: 400 });
  });
});

describe("messages in chunks", () => {
  const chunk = (index: number, total: number, data: string) =>
    JSON.stringify({ type: "chunk", chunkId: "c1", index, total, data });

  it("arrive whole; agents never see a chunk [RUN-112]", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    const text = JSON.stringify({
      ...ok,
      sessionId: "s",
      timestamp: 1,
      origin: "app",
      args: ["x".repeat(1_000)],
    });
    app.sendText(chunk(0, 2, text.slice(0, 300)));
    app.sendText(chunk(1, 2, text.slice(300)));
    await agent.next("console");
    expect(agent.frames).toContain(text);
    expect(agent.received.some(({ type }) => type === "chunk")).toBe(false);
  });

  it("out of order are refused, and later messages still pass", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    app.sendText(chunk(1, 2, "x"));
    expect(await app.next("bridge_error")).toMatchObject({ code: "invalid_message" });
    app.send(ok);
    await agent.next("console");
  });
});

describe("lost connections", () => {
  it("answer a command in flight with outcome unknown when the app disconnects [ARC-059]", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    agent.send({ type: "click", target: { id: "pay" }, requestId: "r1" });
    await app.next("click");
    app.socket.terminate();
    expect(await agent.next("command_result")).toMatchObject({
      requestId: "r1",
      requestType: "click",
      success: false,
      error: "outcome_unknown",
      outcome: "unknown",
    });
  });

  it("answer a command at once when no app is connected", async () => {
    const hub = await testHub();
    const agent = await hub.agent();
    expect(await agent.command({ type: "click", target: { id: "x" } })).toMatchObject({
      success: false,
      error: "app_not_connected",
    });
  });

  it("answer with the result when one of two apps disconnects and the other answers", async () => {
    const hub = await testHub();
    const [dying, living, agent] = await Promise.all([hub.app(), hub.app(), hub.agent()]);
    agent.send({ type: "click", target: { id: "x" }, requestId: "r1", instanceId: "all" });
    await Promise.all([dying.next("click"), living.next("click")]);
    dying.socket.terminate();
    living.send({ type: "command_result", requestType: "click", requestId: "r1", success: true });
    expect(await agent.next("command_result")).toMatchObject({ success: true });
  });

  it("of an agent do not affect the app or others", async () => {
    const hub = await testHub();
    const [app, agent, other] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    app.send(hello);
    agent.send({ type: "click", target: { id: "x" } });
    await app.next("click");
    agent.socket.terminate();
    answer(app);
    expect(await other.command({ type: "hover", target: { id: "x" } })).toMatchObject({ success: true });
  });
});
