import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { timelineRecordSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { answer, hello, type TestHub, testHub } from "../../support/hub/hub.js";

interface Events {
  readonly events: { type: string; sequence: number; data: Record<string, unknown> }[];
  readonly next: number;
  readonly sequence: number;
}

async function events(hub: TestHub, query = ""): Promise<Events> {
  return (await (await hub.api(`/v1/sessions/s/events${query}`)).json()) as Events;
}

const line = (text: string) => ({ type: "console", level: "log", args: [text] });

describe("the timeline", () => {
  it("numbers every event of a session by one, as records of one shape [ARC-004, ARC-005]", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send(hello);
    for (let i = 0; i < 20; i++) app.send(line(`line ${i}`));
    const { events: records } = await until(async () => {
      const read = await events(hub);
      return read.events.length === 21 && read;
    });
    expect(records.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    for (const record of records) expect(timelineRecordSchema.safeParse(record).success).toBe(true);
    expect(records[20]?.data.args).toEqual(["line 19"]);
  });

  it("is read since a sequence, in parts, without repetition [ARC-006]", async () => {
    const hub = await testHub();
    const app = await hub.app();
    for (let i = 0; i < 50; i++) app.send(line(`line ${i}`));
    await until(async () => (await events(hub)).sequence === 50);
    const seen: number[] = [];
    for (let since = 0; ; ) {
      const read = await events(hub, `?since=${since}&limit=7`);
      if (read.events.length === 0) break;
      seen.push(...read.events.map(({ sequence }) => sequence));
      since = read.next;
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect((await events(hub, "?types=network")).events).toEqual([]);
  });

  it("is bounded, and reports how much has left the window [ARC-007, ARC-008]", async () => {
    const hub = await testHub();
    const app = await hub.app();
    for (let i = 0; i < 6_000; i++) app.send(line(`line ${i}`));
    await until(async () => (await events(hub, "?since=5999")).sequence === 6_000);
    const { events: records } = await events(hub, "?since=10&limit=3");
    expect(records[0]).toMatchObject({ type: "gap", data: { dropped: 990, from: 11, to: 1_000 } });
    expect(records[1]).toMatchObject({ type: "console", sequence: 1_001 });
  });

  it("holds commands with their sender and without typed text, and their results", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app(), hub.agent()]);
    answer(app);
    await agent.command({ type: "type", target: { id: "password" }, text: "correct horse" });
    const { events: records } = await events(hub);
    expect(records).toMatchObject([
      { type: "command", data: { type: "type", client: "agent-1", text: "•••" } },
      { type: "command_result", data: { requestType: "type", success: true } },
    ]);
  });

  it("streams over server-sent events, from where the reader left off", async () => {
    const hub = await testHub();
    const app = await hub.app();
    for (const text of ["one", "two"]) app.send(line(text));
    await until(
      async () => (await hub.api("/v1/sessions/s/events")).ok && (await events(hub)).sequence === 2,
    );
    const response = await hub.api("/v1/sessions/s/stream", { headers: { "last-event-id": "1" } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const read = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) text += (await reader?.read())?.value ?? "";
    };
    await read('"two"');
    app.send(line("three"));
    await read('"three"');
    expect(text).not.toContain('"one"');
    expect([...text.matchAll(/^id: (\d+)$/gm)].map((match) => match[1])).toEqual(["2", "3"]);
    await reader?.cancel();
  });

  it("streams a long history completely", async () => {
    const hub = await testHub();
    const app = await hub.app();
    for (let i = 0; i < 400; i++) app.send(line(`${i} ${"漢".repeat(9_000)}`));
    await until(
      async () => (await hub.api("/v1/sessions/s")).ok && (await events(hub, "?since=399")).sequence === 400,
    );
    const response = await hub.api("/v1/sessions/s/stream?since=0");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"399 ')) {
      const { value, done } = (await reader?.read()) ?? { value: "", done: true };
      if (done) throw new Error(`the stream ended after ${text.length} characters`);
      text += value;
    }
    await reader?.cancel();
    expect(text.length).toBeGreaterThan(3_000_000);
  });

  it("is followed over a WebSocket with since, as records", async () => {
    const hub = await testHub();
    const app = await hub.app();
    for (const text of ["one", "two"]) app.send(line(text));
    await until(
      async () => (await hub.api("/v1/sessions/s/events")).ok && (await events(hub)).sequence === 2,
    );
    const agent = await hub.agent("s", { query: { since: "1" } });
    app.send(line("three"));
    await agent.next("console", ({ sequence }) => sequence === 3);
    expect(agent.received.filter(({ type }) => type === "console").map(({ sequence }) => sequence)).toEqual([
      2, 3,
    ]);
  });

  it("sends commands and their results to a follower too, without a gap in the numbers [ARC-005, ARC-006]", async () => {
    const hub = await testHub();
    const [app, follower, agent] = await Promise.all([
      hub.app(),
      hub.agent("s", { query: { since: "0" } }),
      hub.agent(),
    ]);
    answer(app);
    app.send(line("one"));
    await agent.command({ type: "click", target: { id: "x" } });
    app.send(line("two"));
    await follower.next("console", ({ data }) => JSON.stringify(data).includes("two"));
    const records = follower.received.filter(({ sequence }) => sequence !== undefined);
    expect(records.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
      "1 console",
      "2 command",
      "3 command_result",
      "4 console",
    ]);
  });

  it("is written to events.jsonl of the session's own private folder when recording is on [ARC-009]", async () => {
    const hub = await testHub({ record: true });
    const app = await hub.app();
    app.send(hello);
    app.send(line("kept"));
    await until(
      async () => (await hub.api("/v1/sessions/s/events")).ok && (await events(hub)).sequence === 2,
    );
    await hub.close();
    const sessions = join(hub.home, "debug", "sessions");
    const [folder] = readdirSync(sessions);
    expect(folder).toMatch(/^debug_\d{8}_\d{6}_[0-9a-f]{4}$/);
    const path = join(sessions, folder as string);
    const records = readFileSync(join(path, "events.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(records).toMatchObject([
      { type: "hello", sequence: 1 },
      { type: "console", sequence: 2, data: { args: ["kept"] } },
    ]);
    expect(JSON.parse(readFileSync(join(path, "session.json"), "utf8"))).toMatchObject({
      pid: process.pid,
      kind: "app",
      name: "s",
    });
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });
});

describe("the HTTP API", () => {
  it("lists sessions with what is known of them [ARC-001]", async () => {
    const hub = await testHub();
    const app = await hub.app("shop");
    app.send({ ...hello, sessionId: "shop", appName: "Shop", kind: "app" });
    const claims = await hub.app("claims");
    claims.send({ ...hello, sessionId: "claims", kind: "tab" });
    const tab = hub.joinAsApp("tab-1", { kind: "tab" });
    tab.send(JSON.stringify({ ...hello, sessionId: "tab-1", timestamp: 1, origin: "app", kind: "tab" }));
    const { sessions } = await until(async () => {
      const body = (await (await hub.api("/v1/sessions")).json()) as {
        sessions: { id: string; kind: string; sequence: number; url?: string }[];
      };
      const isKnown = body.sessions.every((each) => each.url !== undefined && each.sequence > 0);
      return body.sessions.length === 3 && isKnown && body;
    });
    const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
    expect([...sessions].sort(byId)).toMatchObject([
      // Only a provider inside the hub can create a session of another kind.
      { id: "claims", kind: "app" },
      {
        id: "shop",
        kind: "app",
        appName: "Shop",
        url: hello.url,
        apps: 1,
        agents: 0,
        connected: true,
        sequence: 1,
      },
      { id: "tab-1", kind: "tab" },
    ]);
  });

  it("sends a command and answers with its result", async () => {
    const hub = await testHub();
    const app = await hub.app();
    answer(app, () => ({ result: "42" }));
    const post = (body: unknown) =>
      hub.api("/v1/sessions/s/commands", { method: "POST", body: JSON.stringify(body) });
    expect(await (await post({ type: "evaluate", code: "6 * 7" })).json()).toMatchObject({
      success: true,
      result: "42",
    });
    const wrong = await post({ type: "evaluate" });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({
      error: { code: "invalid_message", details: { field: "code" } },
    });
    expect((await hub.api("/v1/sessions/s/commands", { method: "POST", body: "{" })).status).toBe(400);
  });

  it("runs a list of actions up to the first failure, and none of a list that is invalid", async () => {
    const hub = await testHub();
    const app = await hub.app();
    const done: unknown[] = [];
    answer(app, ({ type }) => {
      done.push(type);
      return type === "press" ? { success: false, error: "not_actionable" } : {};
    });
    const post = (actions: unknown) =>
      hub.api("/v1/sessions/s/commands", { method: "POST", body: JSON.stringify({ actions }) });
    const click = { type: "click", target: { ref: "e1" } };
    const press = { type: "press", key: "Enter" };
    const all = await post([click, click]);
    expect(all.status).toBe(200);
    expect(await all.json()).toMatchObject({ results: [{ success: true }, { success: true }], notRun: 0 });
    expect(await (await post([click, press, click, click])).json()).toMatchObject({
      results: [{ success: true }, { success: false, error: "not_actionable" }],
      notRun: 2,
    });
    expect(done).toEqual(["click", "click", "click", "press"]);
    for (const wrong of [[], {}, [click, { type: "press" }], Array.from({ length: 51 }, () => click)])
      expect((await post(wrong)).status).toBe(400);
    expect(await (await post([click, { type: "press" }])).json()).toMatchObject({
      error: { message: expect.stringMatching(/^action 2: /), details: { field: "actions.1.key" } },
    });
    expect(done).toHaveLength(4);
    await hub.agent("nobody-home");
    const noApp = { method: "POST", body: JSON.stringify({ actions: [click, click] }) };
    const refused = await hub.api("/v1/sessions/nobody-home/commands", noApp);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ results: [{ error: "app_not_connected" }], notRun: 1 });
  });

  it("answers a request that it cannot fulfil with a status, a code and advice", async () => {
    const hub = await testHub();
    const missing = await hub.api("/v1/sessions/nobody/events");
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: "session_not_found" } });
    const code = async (path: string): Promise<unknown> => {
      const response = await hub.api(`/v1${path}`);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      return [response.status, error.code, error.message.includes("does not exist")];
    };
    const asked = ["frames?at=last", "replay", "why", "source?url=http://a.test/a.js&line=1"];
    for (const path of asked)
      expect(await code(`/sessions/nobody/${path}`), path).toEqual([404, "session_not_found", true]);
    const file = (id: string): string => `/project-file?session=${id}&at=a.js`;
    expect(await code(file("nobody"))).toEqual([404, "session_not_found", true]);
    await hub.agent("s");
    for (const path of [...asked, "why?record=7"])
      expect(await code(`/sessions/s/${path}`), path).toEqual([404, "target_not_found", false]);
    expect(await code(file("s"))).toEqual([404, "target_not_found", false]);
    const noApp = await hub.api("/v1/sessions/s/commands", {
      method: "POST",
      body: JSON.stringify({ type: "get_state" }),
    });
    expect(noApp.status).toBe(409);
    expect((await hub.api("/v1/sessions/s/events?since=x")).status).toBe(400);
    expect((await hub.api("/elsewhere")).status).toBe(404);
  });
});
