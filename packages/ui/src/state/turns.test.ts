import type { RunEvent } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { agentSessionOf, append, EMPTY_CONVERSATION, prepend, runningTurn } from "./turns.js";

const events = (...list: [runId: string, event: RunEvent["event"], payload: object][]): RunEvent[] =>
  list.map(
    ([runId, event, payload], i) =>
      ({
        event,
        runId,
        sessionId: "c",
        sequence: i + 1,
        timestamp: "2026-01-01T00:00:00.000Z",
        payload,
      }) as RunEvent,
  );

const ALL = events(
  ["a", "run.started", { message: "hi\u202e", provider: "codex", context: { session: "tab-1" } }],
  ["a", "run.delta", { text: "He" }],
  ["a", "run.delta", { text: "llo" }],
  ["a", "run.step", { id: "agent", kind: "agent", title: "debugged", status: "done", detail: "s1" }],
  ["a", "run.step", { id: "1", kind: "tool", title: "act", status: "running" }],
  ["a", "run.delta", { text: "after" }],
  ["a", "run.step", { id: "1", kind: "tool", title: "act", status: "done" }],
  ["a", "run.usage", { provider: "codex", usage: { contextTokens: 5 } }],
  ["a", "run.finished", { outcome: "done" }],
  ["b", "run.started", { message: "more", provider: "codex" }],
  ["b", "run.error", { code: "internal", message: "broke" }],
);

it("joins the pieces of an answer, and shows a step once, where it began, as it was last", () => {
  const { turns, usage } = append(EMPTY_CONVERSATION, ALL);
  expect(turns).toMatchObject([
    {
      ...{ message: "hi[U+202E]", session: "tab-1", ended: "done" },
      parts: [
        { text: "Hello" },
        { step: { id: "agent" } },
        { step: { id: "1", status: "done" } },
        { text: "after" },
      ],
    },
    { message: "more", errors: ["broke"] },
  ]);
  expect(usage).toEqual({ contextTokens: 5 });
});

it("a conversation is the same however its events arrive: at once, one by one, repeated, or the older ones later", () => {
  const whole = append(EMPTY_CONVERSATION, ALL);
  expect(ALL.reduce((state, event) => append(state, [event]), EMPTY_CONVERSATION)).toEqual(whole);
  expect(append(append(EMPTY_CONVERSATION, ALL.slice(0, 6)), ALL)).toEqual(whole);
  for (let cut = 1; cut < ALL.length; cut++)
    expect(prepend(append(EMPTY_CONVERSATION, ALL.slice(cut)), ALL.slice(0, cut)), `cut at ${cut}`).toEqual(
      whole,
    );
});

it("knows the run that goes on, and where its agent is debugged", () => {
  expect(runningTurn(append(EMPTY_CONVERSATION, ALL))?.runId).toBe("b");
  const first = append(EMPTY_CONVERSATION, ALL.slice(0, 9));
  expect(runningTurn(first)).toBeUndefined();
  expect(first.turns[0] && agentSessionOf(first.turns[0])).toBe("s1");
});
