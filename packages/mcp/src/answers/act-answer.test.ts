import { BridgeError, type CommandInput, type CommandResult, estimateTokens } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { listAnswer } from "./act-answer.js";

const command: CommandInput = { type: "click", target: { ref: "e1" } };
const result = (message: string): CommandResult =>
  ({ success: true, message, receipt: { settled: true, durationMs: 3 } }) as CommandResult;

describe("the answer to a list of actions", () => {
  it("has one receipt for each action", () => {
    const { text, isError } = listAnswer([command, command], {
      results: [result("first"), result("second")],
    });
    expect(isError).toBeUndefined();
    expect(text).toMatch(/1: first\n2: second\n/);
  });

  it("names the action that failed, why, and how many were not run", () => {
    const error = new BridgeError("stale_ref", "e1 is gone");
    const answer = listAnswer([command, command, command], { results: [result("first")], error });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("1: first");
    expect(answer.text).toContain("action 2 of 3 failed; not run: 1\nerror stale_ref");
    expect(answer.data).toMatchObject({ error: { code: "stale_ref" }, notRun: 1 });
  });

  it("keeps to its budget with something of every action", () => {
    const results = Array.from({ length: 10 }, (_, i) =>
      result(i === 0 ? "word ".repeat(5_000) : `say ${i}`),
    );
    const { text } = listAnswer(
      results.map(() => command),
      { results },
      1_000,
    );
    expect(estimateTokens(text)).toBeLessThan(1_000);
    for (let i = 1; i < 10; i++) expect(text).toContain(`say ${i}`);
  });
});
