import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendLine, BlobStore, readLines, SessionFolder } from "@debug-bridge/journal";
import { agentEventSchema, check } from "@debug-bridge/protocol/schemas";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentDebugger, AgentDebuggerOptions } from "../types.js";
import { createAgentDebugger } from "./debugger.js";

interface Event {
  readonly type: string;
  readonly sequence: number;
  readonly data: Record<string, unknown> & { success?: boolean; error?: string; data?: never };
}

let home: string;
let debug: AgentDebugger;
let sent = 0;
const messages: { role: string; content: string }[] = [];

function open(options: AgentDebuggerOptions = {}): void {
  messages.length = 0;
  debug = createAgentDebugger({
    home,
    provider: "test",
    model: "m",
    host: { messages: () => messages, injectMessage: (message) => messages.push(message) },
    ...options,
  });
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  open();
});
afterEach(() => {
  debug.close();
  rmSync(home, { recursive: true, force: true });
});

const events = (): Event[] =>
  [...readLines(join(debug.folder ?? "", "events.jsonl"))].map(({ text }) => JSON.parse(text));
const types = (): string[] => events().map(({ type }) => type);

async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  for (const end = Date.now() + 10_000; ; ) {
    const value = look();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for: ${look}\n${types().join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Gives a command, as another process would, and waits for its answer. */
async function send(type: string, data: object = {}): Promise<Event["data"]> {
  const id = `c${++sent}`;
  appendLine(join(debug.folder ?? "", "commands.jsonl"), JSON.stringify({ type, id, data }));
  const answer = (event: Event): boolean => event.type === "command_response" && event.data.commandId === id;
  await until(() =>
    events().some(({ type: kind, data: of }) => kind === "command_executed" && of.commandId === id),
  );
  return (events().find(answer) as Event).data;
}

const seen = (type: string): Promise<Event> => until(() => events().find((event) => event.type === type));

describe("the events of a run", () => {
  it("are numbered without gaps, match their schema and have the fields of their format [AGT-001…004]", async () => {
    debug.userInput("x".repeat(300_000));
    debug.userInput("fix it");
    await debug.beforeModelCall({ messages: [{ role: "user", content: "fix it" }] });
    await debug.afterModelCall({ stopReason: "tool_use", content: "I will." });
    await debug.beforeToolCall({ toolId: "t1", name: "read_file", input: { path: "a" } });
    await debug.afterToolCall({ toolId: "t1", name: "read_file", result: "text" });
    debug.compaction({ before: 80, after: 12 });
    await debug.error(new Error("y".repeat(300_000)));
    await debug.error(new Error("no answer"), "api_request");
    debug.close();
    const all = events();
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
    for (const event of all) expect(check(agentEventSchema, event)).toMatchObject({ ok: true });
    const data = Object.fromEntries(all.map((event) => [event.type, event.data]));
    expect(data).toMatchObject({
      session_start: { provider: "test", model: "m" },
      user_input: { input: "fix it" },
      api_request: { messageCount: 1, iteration: 1 },
      api_response: { stopReason: "tool_use", durationMs: expect.any(Number) },
      tool_call_start: { name: "read_file", toolId: "t1", input: { path: "a" } },
      tool_call_end: { name: "read_file", isError: false, durationMs: expect.any(Number) },
      tool_result: { result: "text" },
      context_compaction: { before: 80, after: 12 },
      error: { message: "no answer", context: "api_request" },
      session_end: { reason: "done", durationMs: expect.any(Number) },
    });
  });

  it("contain every payload completely and no message twice", async () => {
    const first = { role: "user", content: "a".repeat(30_000) };
    const second = { role: "assistant", content: "b" };
    await debug.beforeModelCall({ messages: [first] });
    await debug.beforeModelCall({ messages: [first, second] });
    await debug.beforeToolCall({ toolId: "t", name: "x", input: { text: first.content } });
    const blobs = new BlobStore(debug.folder ?? "");
    const requests = events().filter(({ type }) => type === "api_request");
    expect(requests.map(({ data }) => data.kept)).toEqual([0, 1]);
    expect(blobs.resolve(requests[0]?.data)).toMatchObject({ messages: [first] });
    expect(requests[1]?.data).toMatchObject({ messages: [second] });
    const start = (await seen("tool_call_start")).data;
    expect(start.input).toMatchObject({ $blob: expect.any(String) });
    expect(blobs.resolve(start)).toMatchObject({ input: { text: first.content } });
  });

  it("accept any value that an agent passes, without throwing", async () => {
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    await send("breakpoint", { action: "add", on: "pattern", regex: "never there" });
    await debug.beforeModelCall({ messages: [{ role: "user", content: loop }] });
    await debug.afterModelCall({ content: 1n });
    expect(await debug.beforeToolCall({ toolId: "a/b", name: "x", input: loop })).toMatchObject({
      run: true,
    });
    await debug.afterToolCall({ toolId: "a/b", name: "x", result: loop, isError: true });
    await debug.error(undefined);
    expect(await send("inspect")).toMatchObject({ type: "inspect" });
    expect(types()).not.toContain("paused");
  });

  it("are not written when the debugger is disabled or the folder is not writable", async () => {
    const other = join(home, "other");
    const off = createAgentDebugger({ enabled: false, home: other });
    off.userInput("x");
    await off.beforeModelCall();
    expect(await off.beforeToolCall({ toolId: "t", name: "x", input: 1 })).toMatchObject({
      run: true,
      input: 1,
    });
    off.close();
    expect(readdirSync(home)).toEqual(["debug"]);
    writeFileSync(other, "in the way");
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(createAgentDebugger({ home: other })).toMatchObject({ enabled: false, sessionId: undefined });
    expect(stderr).toHaveBeenCalledWith(expect.stringContaining("the agent debugger is disabled"));
    stderr.mockRestore();
  });
});

describe("pause, resume and step", () => {
  it("take effect before the next model call, with one paused and one resumed event and nothing between [AGT-014, AGT-015, AGT-027]", async () => {
    expect(await send("pause")).toMatchObject({ success: true });
    let passed = false;
    const gate = debug.beforeModelCall().then(() => (passed = true));
    await seen("paused");
    await send("pause");
    const before = events().length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([events().length, passed, debug.paused]).toEqual([before, false, true]);
    await send("resume");
    await gate;
    expect(types().filter((type) => /paused|resumed|api_request/.test(type))).toEqual([
      "paused",
      "resumed",
      "api_request",
    ]);
    expect(await send("resume")).toMatchObject({ success: true, data: { wasPaused: false } });
  });

  it("do not hold tool calls of the current iteration", async () => {
    await debug.beforeModelCall();
    await send("pause");
    expect(await debug.beforeToolCall({ toolId: "t", name: "x", input: {} })).toMatchObject({ run: true });
    await send("resume");
    await debug.beforeModelCall();
    expect(types()).not.toContain("paused");
  });

  it("run exactly one iteration per step [AGT-016, AGT-029]", async () => {
    debug.close();
    open({ paused: true });
    let iterations = 0;
    const loop = (async () => {
      for (let i = 0; i < 4; i++) {
        await debug.beforeModelCall();
        iterations++;
        await debug.beforeToolCall({ toolId: `t${i}`, name: "x", input: {} });
        await debug.afterToolCall({ toolId: `t${i}`, name: "x" });
      }
    })();
    await seen("paused");
    for (const step of [1, 2, 3]) {
      await send("step");
      await until(() => types().filter((type) => type === "paused").length === step + 1);
      expect(iterations).toBe(step);
    }
    await send("step");
    await loop;
    debug.close();
    const steps = events().filter(({ type }) => type === "step_complete");
    expect(steps.map(({ data }) => data.iteration)).toEqual([1, 2, 3, 4]);
  });
});

describe("commands", () => {
  it("that are invalid are reported, and the next ones run once each, in order [AGT-021…025]", async () => {
    const file = join(debug.folder ?? "", "commands.jsonl");
    appendFileSync(
      file,
      '{"type":"pause","id"\n[]\n{"type":"explode","id":"x1"}\n\n{"type":"inject_message","id":"x2","da',
    );
    await until(() => events().filter(({ type }) => type === "error").length === 3);
    expect(types()).not.toContain("command_executed");
    appendFileSync(file, 'ta":{"role":"user","content":"hi"}}\n');
    await seen("command_executed");
    await send("inspect");
    for (const { data } of events().filter(({ type }) => type === "error"))
      expect(data).toMatchObject({
        context: "command_processing",
        message: expect.stringContaining("Invalid command"),
      });
    expect(events().find(({ data }) => data.commandId === "x1")?.data).toMatchObject({ success: false });
    const executed = events().filter(({ type }) => type === "command_executed");
    expect(executed.map(({ data }) => [data.commandId, data.type])).toEqual([
      ["x2", "inject_message"],
      [`c${sent}`, "inspect"],
    ]);
    expect(messages).toEqual([{ role: "user", content: "hi" }]);
  });

  it("inspect state, inject messages and set variables [AGT-017…019, AGT-038, AGT-039]", async () => {
    messages.push({ role: "user", content: "hello" });
    expect(await send("inject_message", { role: "assistant", content: "noted" })).toMatchObject({
      success: true,
    });
    expect(await send("set_variable", { key: "maxIterations", value: 20 })).toMatchObject({ success: true });
    expect(debug.variables.maxIterations).toBe(20);
    expect(await send("inspect", { what: "messages" })).toMatchObject({
      type: "inspect",
      success: true,
      data: { messages: { count: 2, all: messages }, variables: { maxIterations: 20 } },
    });
    expect(await send("rewind", { checkpoint: "cp-1" })).toMatchObject({
      success: false,
      error: expect.stringContaining("restoreState"),
    });
  });

  it("are not executed after the session ended [AGT-026]", async () => {
    debug.close();
    const before = events().length;
    appendLine(join(debug.folder ?? "", "commands.jsonl"), '{"type":"pause","id":"late"}');
    await debug.beforeModelCall();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events()).toHaveLength(before);
  });

  it("reject a pattern that would hang, and the agent continues [AGT-065]", async () => {
    const answer = await send("breakpoint", { action: "add", on: "pattern", regex: "(a+)+$" });
    expect(answer).toMatchObject({ success: false, error: expect.stringContaining("takes too long") });
    expect((await seen("error")).data.context).toBe("command_processing");
    await debug.beforeModelCall();
  });
});

describe("breakpoints and tools", () => {
  it("hold the tool until the agent is resumed, and report the call [AGT-056, AGT-063, AGT-064]", async () => {
    const added = await send("breakpoint", { action: "add", on: "tool", name: "write_file" });
    expect(added).toMatchObject({ success: true, data: { id: "bp-1" } });
    let ran = false;
    const input = { path: "a.txt" };
    const call = debug.beforeToolCall({ toolId: "t1", name: "write_file", input }).then((decision) => {
      ran = true;
      return decision;
    });
    expect((await seen("breakpoint_hit")).data).toMatchObject({
      breakpoint: { id: "bp-1", type: "tool", condition: "write_file", hits: 1 },
      toolCall: { toolId: "t1", name: "write_file", input },
    });
    await seen("paused");
    expect([ran, types().includes("tool_call_start")]).toEqual([false, false]);
    await send("set_variable", { key: "input.path", value: "b.txt" });
    await send("resume");
    expect(await call).toMatchObject({ run: true, input: { path: "b.txt" } });
    expect((await seen("tool_call_start")).data.input).toEqual({ path: "b.txt" });
  });

  it("cancel a held call, and abort a running one [AGT-020]", async () => {
    await send("breakpoint", { action: "add", on: "tool", name: "held", once: true });
    const held = debug.beforeToolCall({ toolId: "t1", name: "held", input: {} });
    await seen("paused");
    expect(await send("cancel_tool", { toolId: "t1" })).toMatchObject({ data: { wasRunning: false } });
    expect(await held).toEqual({ run: false, reason: "held was cancelled by the debugger" });
    expect(debug.paused).toBe(true);
    await send("resume");
    const running = await debug.beforeToolCall({ toolId: "t2", name: "runs", input: {} });
    expect(await send("cancel_tool", { toolId: "nope" })).toMatchObject({
      success: false,
      error: 'tool call "nope" is not held or running; open calls: t2 (runs)',
    });
    await send("cancel_tool", { toolId: "t2" });
    expect(running.run && running.signal.aborted).toBe(true);
    await debug.afterToolCall({ toolId: "t2", name: "runs", isError: true });
    const ends = events().filter(({ type }) => type === "tool_call_end");
    expect(ends.map(({ data }) => data.cancelled)).toEqual([true, true]);
  });

  it("pause at two concurrent calls one after the other", async () => {
    await send("breakpoint", { action: "add", on: "tool", name: "x" });
    const calls = ["t1", "t2"].map((toolId) => debug.beforeToolCall({ toolId, name: "x", input: {} }));
    await seen("paused");
    expect(types().filter((type) => type === "breakpoint_hit")).toHaveLength(1);
    await send("resume");
    await calls[0];
    await until(() => types().filter((type) => type === "paused").length === 2);
    await send("resume");
    await calls[1];
    expect(types().filter((type) => type === "resumed")).toHaveLength(2);
  });

  it("resume automatically after their deadline", async () => {
    await send("breakpoint", { action: "add", on: "iteration", count: 1, deadlineMs: 30 });
    await debug.beforeModelCall();
    expect((await seen("resumed")).data.reason).toBe("deadline");
  });

  it("pause at an error of a tool and at an error of the agent", async () => {
    await send("breakpoint", { action: "add", on: "error" });
    await debug.beforeToolCall({ toolId: "t", name: "x", input: {} });
    const after = debug.afterToolCall({ toolId: "t", name: "x", result: "ENOENT", isError: true });
    expect((await seen("breakpoint_hit")).data).toMatchObject({ message: "ENOENT", name: "x" });
    await send("resume");
    await after;
    const failed = debug.error(new Error("lost"));
    await until(() => types().filter((type) => type === "paused").length === 2);
    await send("resume");
    await failed;
  });

  it("pause at an event of this session, and of an app that a hub records", async () => {
    await send("breakpoint", { action: "add", on: "event", event: "user_input", regex: "stop" });
    debug.userInput("go on");
    await debug.beforeModelCall();
    debug.userInput("please stop");
    const held = debug.beforeToolCall({ toolId: "t", name: "x", input: {} });
    await seen("paused");
    await send("resume");
    await held;
    const other = { action: "add", on: "event", event: "console", session: "shop", regex: "declined" };
    expect(await send("breakpoint", other)).toMatchObject({
      error: expect.stringContaining("debug-bridge up"),
    });
    const recording = SessionFolder.create(home, { sessionId: "shop", kind: "app" });
    await until(() => readdirSync(recording.path).includes("events.jsonl"));
    expect(await send("breakpoint", other)).toMatchObject({ success: true });
    await recording.append([`${JSON.stringify({ type: "console", data: { args: ["card declined"] } })}\n`]);
    await until(() => types().filter((type) => type === "breakpoint_hit").length === 2);
    const next = debug.beforeModelCall();
    await until(() => types().filter((type) => type === "paused").length === 2);
    await send("resume");
    await next;
    recording.end();
  });
});

describe("checkpoints", () => {
  it("restore the agent's state", async () => {
    debug.close();
    let state = { step: 1 };
    open({ host: { saveState: () => state, restoreState: (saved) => (state = saved as typeof state) } });
    expect(await send("checkpoint", { label: "before" })).toMatchObject({ data: { checkpoint: "cp-1" } });
    state.step = 2;
    expect(await send("rewind", { checkpoint: "before" })).toMatchObject({ success: true });
    expect(state).toEqual({ step: 1 });
    expect(await send("rewind", { checkpoint: "cp-9" })).toMatchObject({
      error: 'checkpoint "cp-9" does not exist; existing checkpoints: cp-1 (before)',
    });
    expect(readFileSync(join(debug.folder ?? "", "events.jsonl"), "utf8")).toContain('"type":"rewind"');
  });
});
