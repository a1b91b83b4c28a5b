import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { start, startUp, temporaryFolder, until } from "../../fixtures.js";
import {
  type AgentEvent,
  busyTurns,
  cli,
  type RunningAgent,
  startAgent,
} from "../../support/agents/agents.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";
import { listed, type Summary, sessions, timeline } from "../../support/hub/hub-sessions.js";

// biome-ignore lint/suspicious/noExplicitAny: answers to commands of every type.
type Answer = any;

async function post(hub: TestHub, id: string, body: object): Promise<{ status: number; answer: Answer }> {
  const response = await hub.api(`/v1/sessions/${id}/commands`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: await response.json() };
}

/** The hub has taken in all that the agent wrote. */
const caughtUp = (hub: TestHub, agent: RunningAgent): Promise<true> =>
  until(async () => (await listed(hub, agent.id)).sequence === agent.events().length);

describe("agents on the hub", () => {
  it("are sessions with their events as timeline, from their first event to their last [ARC-003]", async () => {
    const hub = await testHub();
    const agent = await startAgent(
      hub.home,
      [{ tool: "list_files" }, { text: "done" }],
      ["--pause", "--name", "ada"],
    );
    expect(await listed(hub, agent.id)).toMatchObject({
      kind: "agent",
      connected: true,
      appName: "ada",
      title: "script/turns.json",
    });
    const late = await hub.agent(agent.id, { query: { since: "0" } });
    await cli(hub.home, "agent", "resume", "-s", agent.id);
    await agent.finished;
    await until(async () => !(await listed(hub, agent.id)).connected);
    const inFile = agent.events();
    expect(await timeline(hub, agent.id)).toEqual(inFile);
    expect(late.received.filter(({ sequence }) => sequence !== undefined)).toEqual(inFile);
    expect(late.received.filter(({ type }) => type === "session_status").map(({ status }) => status)).toEqual(
      ["connected", "disconnected"],
    );
  });

  it("that already run are listed when the hub starts, with their newest events and numbers", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(1_500, 0), ["--pause"]);
    await cli(home, "agent", "breakpoint", "add", "iteration", "1400");
    await cli(home, "agent", "resume");
    await agent.seen("breakpoint_hit");
    await agent.seen("paused", 2);
    const hub = await testHub({ home });
    await caughtUp(hub, agent);
    const [gap, first] = await timeline(hub, agent.id);
    expect(gap).toMatchObject({ type: "gap", data: { reason: "older than the hub's window" } });
    expect(first).toEqual(agent.events()[agent.events().length - 1_000]);
    expect((await timeline(hub, agent.id, agent.events().length - 1)).map(({ type }) => type)).toEqual([
      "paused",
    ]);
  });

  it("are gone when they were killed, and finished ones are not listed", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(10_000));
    await listed(hub, agent.id);
    agent.child.kill("SIGKILL");
    await until(async () => !(await listed(hub, agent.id)).connected);
    expect((await post(hub, agent.id, { type: "pause" })).answer).toMatchObject({
      success: false,
      error: "app_not_connected",
      message: expect.stringContaining("has ended"),
    });
    const next = await testHub({ home: hub.home });
    expect(await sessions(next)).toEqual([]);
  });

  it("of other programs are followed with --dir, whatever their files contain", async () => {
    const root = temporaryFolder();
    const id = "debug_20260123_131000_abc1";
    const folder = join(debugPaths(root).sessions, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "events.jsonl"),
      '{"type":"thought","data":{"n":1}}\nbroken\n{"type":5}\n{"type":"torn',
    );
    const entry = { pid: process.pid, startTime: new Date().toISOString(), cwd: root };
    const others = [
      { id, ...entry },
      { id: "../../../etc", ...entry },
      { id: ".", ...entry },
      { id: 5 },
      null,
    ];
    writeFileSync(debugPaths(root).index, JSON.stringify({ sessions: others }));
    const up = await startUp(["--agent-dir", join(root, "debug")]);
    const authorization = `Bearer ${readFileSync(up.ready.tokenFile, "utf8").trim()}`;
    const get = async (path: string): Promise<Answer> =>
      (await fetch(`${up.ready.hub}/v1${path}`, { headers: { authorization } })).json();
    expect((await get("/sessions")).sessions).toMatchObject([{ id, kind: "agent", connected: true }]);
    appendFileSync(join(folder, "events.jsonl"), '","data":null}\n{"type":"done"}\n');
    const { events } = await until(async () => {
      const answer = await get(`/sessions/${id}/events`);
      return answer.events.length === 3 && answer;
    });
    expect(events.map(({ type, sequence, data }: AgentEvent) => [type, sequence, data])).toEqual([
      ["thought", 1, { n: 1 }],
      ["torn", 2, null],
      ["done", 3, null],
    ]);
    up.child.kill("SIGTERM");
    expect((await up.finished).code).toBe(0);
  });

  it("are listed even if they ended immediately", async () => {
    const hub = await testHub();
    const script = `import { createAgentDebugger } from "@debug-bridge/agent";
      for (let i = 0; i < 20; i++) createAgentDebugger({ home: process.env.DEBUG_BRIDGE_HOME }).close();`;
    await start(process.execPath, ["--input-type=module", "-e", script], { DEBUG_BRIDGE_HOME: hub.home })
      .finished;
    await until(async () => {
      const all = await sessions(hub);
      return all.length === 20 && all.every(({ connected, sequence }) => !connected && sequence === 2);
    });
  });

  it("are recorded once, by themselves", async () => {
    const hub = await testHub({ record: true });
    const agent = await startAgent(hub.home, [{ text: "done" }]);
    await agent.finished;
    await until(async () => !(await listed(hub, agent.id)).connected);
    const all = JSON.parse((await cli(hub.home, "sessions", "--all", "--json")).stdout).sessions as Summary[];
    expect(all.map(({ id }) => id)).toEqual([agent.id]);
  });
});

describe("commands through the hub", () => {
  it("control an agent over HTTP as its files do", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(10_000));
    await listed(hub, agent.id);
    const give = async (body: object): Promise<Answer> => (await post(hub, agent.id, body)).answer;
    expect(await give({ type: "pause", requestId: "r1" })).toMatchObject({
      type: "command_result",
      requestType: "pause",
      requestId: "r1",
      success: true,
    });
    await agent.seen("paused");
    const { value } = await give({ type: "inspect", data: { what: "messages" } });
    expect(value.messages.all.length).toBe(value.messages.count);
    expect((await give({ type: "breakpoint", data: { action: "add", on: "error" } })).value.id).toBe("bp-1");
    expect(await give({ type: "cancel_tool", data: { toolId: "x" } })).toMatchObject({
      success: false,
      error: "target_not_found",
    });
    await give({ type: "step" });
    await agent.seen("step_complete");
    await give({ type: "resume" });
    await agent.seen("resumed", 2);
    expect(readFileSync(join(agent.folder, "commands.jsonl"), "utf8").trim().split("\n")).toHaveLength(6);
    await until(() => hub.audit().includes('"what":"resume"'));
    expect(hub.audit()).toContain('"what":"pause"');
    expect(hub.audit()).not.toContain('"what":"inspect"');
  });

  it("control an agent over a WebSocket, two clients at once", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(10_000));
    await listed(hub, agent.id);
    const [one, two] = [await hub.agent(agent.id), await hub.agent(agent.id)];
    expect(await one.command({ type: "pause" })).toMatchObject({ success: true });
    await two.next("paused");
    expect(
      await two.command({ type: "inject_message", data: { role: "user", content: "hi" } }),
    ).toMatchObject({
      success: true,
      value: { role: "user", content: "hi" },
    });
    expect(await one.command({ type: "dance" })).toMatchObject({
      success: false,
      message: expect.stringContaining("dance"),
    });
    expect(await one.command({ type: "resume" })).toMatchObject({
      success: true,
      value: { wasPaused: true },
    });
    await two.next("resumed");
    one.sendText("{");
    await one.next("bridge_error");
  });

  it("that cannot be written are refused, and the hub continues", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(100_000), ["--pause"]);
    await listed(hub, agent.id);
    rmSync(join(agent.folder, "commands.jsonl"));
    mkdirSync(join(agent.folder, "commands.jsonl"));
    expect((await post(hub, agent.id, { type: "resume" })).answer).toMatchObject({
      success: false,
      error: "internal",
    });
    expect((await sessions(hub)).map(({ id }) => id)).toEqual([agent.id]);
  });

  it("are refused when they are invalid, and on a read-only hub", async () => {
    const hub = await testHub({ readOnly: true });
    const agent = await startAgent(hub.home, busyTurns(10_000));
    await listed(hub, agent.id);
    expect(await post(hub, agent.id, { type: "pause" })).toMatchObject({
      status: 403,
      answer: { error: "read_only" },
    });
    expect(await post(hub, agent.id, { type: "inspect" })).toMatchObject({
      status: 200,
      answer: { success: true },
    });
    expect(await post(hub, agent.id, { type: "breakpoint", data: { action: "list" } })).toMatchObject({
      status: 200,
    });
    expect(await post(hub, agent.id, { type: "click", target: { ref: "e1" } })).toMatchObject({
      status: 400,
      answer: { success: false },
    });
    expect(await post(hub, agent.id, { type: "inspect", data: { what: "everything" } })).toMatchObject({
      status: 400,
      answer: { message: expect.stringContaining("what") },
    });
    expect(agent.count("command_response")).toBe(2);
  });

  it("are in the timeline once: by the agent if it got them, else by the hub", async () => {
    const hub = await testHub();
    const agent = await startAgent(hub.home, busyTurns(10_000));
    await listed(hub, agent.id);
    const [holder, other] = [await hub.agent(agent.id), await hub.agent(agent.id)];
    expect(await holder.command({ type: "acquire_lease", owner: "ada" })).toMatchObject({ success: true });
    expect(await other.command({ type: "resume" })).toMatchObject({ success: false, error: "lease_held" });
    expect(await holder.command({ type: "pause" })).toMatchObject({ success: true });
    await holder.next("paused");
    const records = await until(async () => {
      const all = await timeline(hub, agent.id);
      return all.some(({ type }) => type === "paused") && all;
    });
    const about = (type: string, name: string): AgentEvent[] =>
      records.filter((record) => record.type === type && JSON.stringify(record.data).includes(`"${name}"`));
    const [refused] = about("command", "resume");
    expect(about("command", "resume")).toHaveLength(1);
    expect(about("command_result", "resume")).toMatchObject([
      { causedBy: refused?.sequence, data: { success: false, error: "lease_held" } },
    ]);
    expect(about("command", "acquire_lease")).toHaveLength(1);
    expect(about("command", "pause")).toEqual([]);
    expect(about("command_executed", "pause")).toHaveLength(1);
    await until(() => hub.audit().includes('"what":"pause"'));
    for (const what of ["acquire_lease", "resume", "pause"])
      expect(hub.audit().split(`"what":"${what}"`), what).toHaveLength(2);
  });
});
