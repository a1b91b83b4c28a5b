import { request } from "node:http";
import { ACTING_COMMANDS, LOOKING_COMMANDS } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { answer, testHub } from "../../support/hub/hub.js";
import { WireClient } from "../../support/hub/wire-client.js";

/** fetch sets Host and Origin itself, so this asks by hand. */
function get(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let body = "";
      response.on("data", (data) => {
        body += data;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on("error", reject)
      .end();
  });
}

describe("who may connect", () => {
  it("an agent needs the token: none or a wrong one is refused, with how to send it [APP-081, ARC-067]", async () => {
    const hub = await testHub();
    await expect(hub.agent("s", { token: "" })).rejects.toMatchObject({
      status: 401,
      body: expect.stringContaining("Authorization: Bearer"),
    });
    await expect(hub.agent("s", { token: `${hub.token.slice(0, -1)}x` })).rejects.toMatchObject({
      status: 401,
    });
  });

  it("the token is accepted in the query, as a bearer header and as a subprotocol [ARC-068]", async () => {
    const hub = await testHub();
    const connect = (options: object) =>
      WireClient.connect(hub.url, { role: "agent", sessionId: "s", ...options });
    await connect({ token: hub.token });
    await connect({ headers: { authorization: `Bearer ${hub.token}` } });
    const { socket } = await connect({ protocols: [`bearer.${hub.token}`, "debug-bridge.v1"] });
    expect(socket.protocol).toBe("debug-bridge.v1");
  });

  it("--auth none lets agents in without a token, on loopback only [ARC-077]", async () => {
    const hub = await testHub({ auth: "none" });
    await WireClient.connect(hub.url, { role: "agent", sessionId: "s" });
    expect((await fetch(`${hub.url}/v1/sessions`)).status).toBe(200);
    await expect(testHub({ auth: "none", host: "0.0.0.0" })).rejects.toThrow("loopback only");
  });

  it("pages of loopback connect as apps, foreign ones are refused unless they are allowed [APP-082, ARC-064, ARC-090]", async () => {
    const hub = await testHub({ allowOrigins: ["https://dev.example.com", "https://two.example.com"] });
    for (const origin of [
      "http://localhost:5173",
      "http://127.0.0.1:1",
      "http://app.localhost",
      "https://dev.example.com",
      "https://two.example.com",
    ]) {
      await hub.app("s", { headers: { origin } });
    }
    for (const origin of [
      "https://evil.example",
      "http://localhost.evil.example",
      "null",
      "file://",
      "http://127.0.0.1.evil.example",
    ]) {
      await expect(hub.app("s", { headers: { origin } }), origin).rejects.toMatchObject({ status: 403 });
    }
  });

  it("an agent from a web page is refused even with the token, except the hub's own page [ARC-066]", async () => {
    const hub = await testHub();
    await expect(hub.agent("s", { headers: { origin: "http://localhost:5173" } })).rejects.toMatchObject({
      status: 403,
    });
    await hub.agent("s", { headers: { origin: hub.url } });
    const open = await testHub({ auth: "none" });
    await expect(open.agent("s", { headers: { origin: "https://evil.example" } })).rejects.toMatchObject({
      status: 403,
    });
    expect(await get(`${open.url}/v1/sessions`, { origin: "https://evil.example" })).toMatchObject({
      status: 403,
    });
  });

  it("a Host that is not a loopback name is refused, on every path and on upgrade [ARC-063]", async () => {
    const hub = await testHub();
    const host = "rebound.example:80";
    for (const path of ["/", "/healthz", "/v1/sessions", "/sdk.js", "/nowhere"]) {
      const { status, body } = await get(`${hub.url}${path}`, { host, authorization: `Bearer ${hub.token}` });
      expect(status, path).toBe(403);
      expect(body).toContain("forbidden_host");
    }
    await expect(hub.app("s", { headers: { host } })).rejects.toMatchObject({ status: 403 });
    await expect(hub.agent("s", { headers: { host } })).rejects.toMatchObject({ status: 403 });
  });

  it("outside loopback every role needs the token [ARC-062]", async () => {
    const hub = await testHub({ host: "0.0.0.0" });
    const url = hub.url.replace("0.0.0.0", "127.0.0.1");
    await expect(WireClient.connect(url, { role: "app", sessionId: "s" })).rejects.toMatchObject({
      status: 401,
    });
    await WireClient.connect(url, { role: "app", sessionId: "s", token: hub.token });
    const authorization = `Bearer ${hub.token}`;
    expect(await get(`${url}/v1/sessions`, { host: "192.0.2.7:4000", authorization })).toMatchObject({
      status: 200,
    });
    expect(await get(`${url}/v1/sessions`, { host: "rebound.example:4000", authorization })).toMatchObject({
      status: 403,
    });
  });

  it("no endpoint returns the token, whatever the answer [ARC-071]", async () => {
    const hub = await testHub();
    const bodies = await Promise.all(
      [
        "/",
        "/healthz",
        "/v1/sessions",
        "/v1/sessions/none",
        "/sdk.js",
        "/token",
        "/json/version",
        "/../token",
        `/v1/sessions?token=${hub.token}`,
      ].map(async (path) => {
        const response = await hub.api(path);
        return JSON.stringify([...response.headers]) + (await response.text());
      }),
    );
    expect(bodies.join("\n")).not.toContain(hub.token);
  });

  it("what is refused is in the audit log", async () => {
    const hub = await testHub();
    await hub.app("s", { headers: { origin: "https://evil.example" } }).catch(() => {});
    const text = await until(() => {
      const log = hub.audit();
      return log.includes("evil.example") && log;
    });
    expect(JSON.parse(text.trim())).toMatchObject({
      what: "upgrade /debug",
      outcome: expect.stringContaining("forbidden_origin"),
    });
  });
});

describe("what may be done", () => {
  it("with --read-only every command that acts is refused and looking still works [ARC-076]", async () => {
    const hub = await testHub({ readOnly: true });
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    answer(app);
    const target = { id: "x" };
    const acts = [
      { type: "click", target },
      { type: "type", target, text: "x" },
      { type: "press", key: "Enter" },
      { type: "select", target, values: ["x"] },
      { type: "hover", target },
      { type: "scroll", y: 1 },
      { type: "drag", source: target, target },
      { type: "dialog", action: "accept" },
      { type: "set_files", target, files: [] },
      { type: "navigate", url: "/" },
      { type: "evaluate", code: "1" },
      { type: "call_tool", name: "x" },
    ];
    for (const command of acts)
      expect(await agent.command(command), command.type).toMatchObject({
        success: false,
        error: "read_only",
      });
    expect(acts.map(({ type }) => type).sort()).toEqual([...ACTING_COMMANDS].sort());
    const fields: Record<string, object> = {
      wait_for: { text: "x" },
      find: { text: "x" },
      record_actions: { on: true },
      keep_chains: { forMs: 1_000 },
    };
    for (const type of LOOKING_COMMANDS)
      expect(await agent.command({ type, ...fields[type] }), type).toMatchObject({ success: true });
  });

  it("every act is in the audit log with client, command, time and outcome, and without typed text [ARC-074]", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent("s", { query: { name: "tester" } })]);
    answer(app);
    await agent.command({ type: "type", target: { id: "password" }, text: "correct horse" });
    await agent.command({ type: "request_ui_tree" });
    const text = await until(() => hub.audit());
    const records = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records).toMatchObject([
      {
        timestamp: expect.stringMatching(/^\d{4}-/),
        who: "agent-1:tester",
        what: "type",
        session: "s",
        target: { id: "password" },
        outcome: "done",
      },
    ]);
    expect(text).not.toContain("correct horse");
  });

  it("a lease gives one client the right to act; others may look, and learn who holds it", async () => {
    const hub = await testHub();
    const [app, holder, other] = await Promise.all([hub.app(), hub.agent(), hub.agent()]);
    answer(app);
    expect(await holder.command({ type: "acquire_lease", owner: "Ann", ttlMs: 60_000 })).toMatchObject({
      success: true,
      value: { owner: "Ann" },
    });
    expect(await other.command({ type: "click", target: { id: "x" } })).toMatchObject({
      error: "lease_held",
      details: { owner: "Ann" },
    });
    expect(await other.command({ type: "acquire_lease" })).toMatchObject({ error: "lease_held" });
    expect(await other.command({ type: "request_ui_tree" })).toMatchObject({ success: true });
    expect(await holder.command({ type: "click", target: { id: "x" } })).toMatchObject({ success: true });
    holder.close();
    await until(async () => (await other.command({ type: "click", target: { id: "x" } })).success === true);
  });
});
