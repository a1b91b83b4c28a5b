import type { ProviderEvent, ProviderOutcome } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClaudeEvents } from "./claude/events.js";
import { CodexEvents } from "./codex/events.js";
import { firstError } from "./error-text.js";

const READERS = { Codex: CodexEvents, "Claude Code": ClaudeEvents } as const;
const TYPES = [
  ...["thread.started", "item.started", "item.completed", "turn.completed", "turn.failed", "error"],
  ...["system", "stream_event", "assistant", "user", "result"],
];

/** Reads lines and returns what was reported, and the outcome. */
function read(
  name: keyof typeof READERS,
  lines: readonly unknown[],
  exit = { code: 0, stderr: "" },
): { events: ProviderEvent[]; outcome: ProviderOutcome } {
  const events: ProviderEvent[] = [];
  const reader = new READERS[name]((event) => events.push(event));
  for (const line of lines) reader.readLine(typeof line === "string" ? line : JSON.stringify(line));
  return { events, outcome: reader.outcome(exit) };
}

describe.each(Object.keys(READERS) as (keyof typeof READERS)[])("the reader of %s", (name) => {
  it("survives every line, and reports only texts as texts", () => {
    const part = fc.jsonValue({ maxDepth: 3 });
    const fields = {
      item: part,
      event: part,
      message: part,
      usage: part,
      error: part,
      result: part,
      errors: part,
    };
    const line = fc.record({ type: fc.constantFrom(...TYPES), ...fields }, { requiredKeys: ["type"] });
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string(), part)), (lines) => {
        const { events, outcome } = read(name, lines);
        expect(["done", "failed", "unknown_thread"]).toContain(outcome.outcome);
        for (const event of events)
          if (event.type === "step") expect(typeof event.title).toBe("string");
          else if (event.type === "delta") expect(typeof event.text).toBe("string");
      }),
    );
  });
});

describe("how a turn of Codex ended", () => {
  const exit = (stderr: string): { code: number; stderr: string } => ({ code: 1, stderr });

  it("is an unknown thread only when no thread was started", () => {
    const stderr =
      "Error: thread/resume failed: no rollout found for thread id 1 (code -32600)\n\nStack backtrace:\n   0: <unknown>";
    expect(read("Codex", [], exit(stderr)).outcome).toEqual({ outcome: "unknown_thread" });
    const started = { type: "thread.started", thread_id: "t1" };
    expect(read("Codex", [started], exit(stderr)).outcome).toMatchObject({ outcome: "failed" });
  });

  it("is a success when it recovered from an error, and else the last error", () => {
    const retry = { type: "error", message: "Reconnecting... 1/5" };
    const answer = { type: "item.completed", item: { id: "m", type: "agent_message", text: "hi" } };
    expect(read("Codex", [retry, answer]).outcome).toEqual({ outcome: "done" });
    const failed = { type: "turn.failed", error: { message: "unexpected status 401 Unauthorized" } };
    expect(read("Codex", [retry, failed], exit("")).outcome).toMatchObject({
      code: "auth_required",
      message: expect.stringContaining("codex login"),
    });
  });
});

describe("how a turn of Claude Code ended", () => {
  it("names the command that signs in", () => {
    const result = { type: "result", is_error: true, result: "Not logged in · Please run /login" };
    expect(read("Claude Code", [result], { code: 1, stderr: "" }).outcome).toMatchObject({
      code: "auth_required",
      message: expect.stringContaining("run: claude, then: /login"),
    });
  });

  it("is a failure without a result", () => {
    expect(read("Claude Code", []).outcome).toMatchObject({ outcome: "failed" });
  });
});

describe("the line that says what went wrong", () => {
  it("is the one that starts with Error, else the last one", () => {
    expect(firstError("WARNING: x\nError: it broke\n\nStack backtrace:\n   0: y")).toBe("it broke");
    expect(firstError("one\ntwo\n")).toBe("two");
    expect(firstError("")).toBeUndefined();
  });
});
