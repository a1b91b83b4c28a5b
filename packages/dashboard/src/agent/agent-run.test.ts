import type { TimelineRecord } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { type AgentRun, afterRunRecord, NO_RUN } from "./agent-run.js";

function runOf(...records: readonly (readonly [type: string, data: unknown])[]): AgentRun {
  return records
    .map(
      ([type, data], i): TimelineRecord => ({
        ...{ type, data, sessionId: "a", sequence: i + 1, timestamp: "2026-01-01T00:00:00.000Z" },
      }),
    )
    .reduce(afterRunRecord, NO_RUN);
}

const call = { name: "write", toolId: "t1", input: { path: "a" } };

it("puts a call and its result together, and knows which call is held", () => {
  const held = runOf(
    ["user_input", { input: "do it" }],
    ["tool_call_start", call],
    ["breakpoint_hit", { toolCall: call }],
    ["paused", { reason: "breakpoint" }],
  );
  expect(held.held).toEqual(call);
  expect(held.position.stop).toContain("Stopped before write");
  const done = runOf(
    ["tool_call_start", call],
    ["resumed", {}],
    ["tool_call_end", { ...call, durationMs: 5 }],
    ["tool_result", { toolId: "t1", result: "ok" }],
  );
  expect(done.held).toBeUndefined();
  expect(done.entries).toEqual([
    expect.objectContaining({ kind: "call", result: "ok", durationMs: 5, isRunning: false }),
  ]);
});

it("adds up the tokens that were reported, and says nothing when none were", () => {
  expect(runOf(["api_response", {}]).tokens).toBeUndefined();
  const usage = { inputTokens: 10, outputTokens: 2 };
  expect(runOf(["api_response", { usage }], ["api_response", { usage }]).tokens).toEqual({
    input: 20,
    output: 4,
  });
});

it("adds them up for each model", () => {
  const usage = (input: number) => ({ usage: { inputTokens: input, outputTokens: 1 } });
  const { usages } = runOf(
    ["api_response", { model: "a", ...usage(1) }],
    ["api_response", { model: "b", ...usage(2) }],
    ["api_response", { model: "a", ...usage(4) }],
  );
  const tokens = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 });
  expect(usages).toEqual([
    { model: "b", tokens: tokens(2, 1) },
    { model: "a", tokens: tokens(5, 2) },
  ]);
});

it("makes something of whatever a file holds", () => {
  for (const data of [null, 5, "x", [], { toolCall: 5, breakpoint: null, usage: [], content: {} }])
    for (const type of ["user_input", "breakpoint_hit", "tool_result", "checkpoint", "api_response", "error"])
      expect(() => runOf([type, data], ["paused", data])).not.toThrow();
});
