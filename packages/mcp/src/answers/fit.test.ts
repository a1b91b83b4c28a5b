import { estimateTokens } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitByWeight, fitEnd, fitStart } from "./fit.js";

describe("answers within a budget", () => {
  it("keep what fits, and report how much is left out", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), fc.integer({ min: 10, max: 300 }), (text, maxTokens) => {
        const fitted = fitStart(text, maxTokens, "ask for less");
        if (fitted === text) return;
        const [, left] = /\[(\d+) more characters are left out; ask for less\]$/.exec(fitted) ?? [];
        const shown = fitted.slice(0, fitted.lastIndexOf("\n["));
        expect(estimateTokens(shown)).toBeLessThanOrEqual(maxTokens);
        expect(shown.length + Number(left)).toBe(text.length);
        expect(text.startsWith(shown)).toBe(true);
      }),
    );
  });

  it("keep the newest lines of a log, and at least one", () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    const fitted = fitEnd(lines, 30);
    expect(fitted.lines.at(-1)).toBe("line 99");
    expect(fitted.lines.length + fitted.left).toBe(100);
    expect(fitEnd(["x".repeat(10_000)], 30).lines[0]).toContain("left out");
    expect(fitEnd([], 30)).toEqual({ lines: [], left: 0 });
  });

  it("keep the most important entries in their order", () => {
    const entries = [
      { text: "an error", weight: 4 },
      { text: "a log", weight: 1 },
      { text: "another error", weight: 4 },
    ];
    expect(fitByWeight(entries, 8)).toEqual({ lines: ["an error", "another error"], left: 1 });
    expect(fitByWeight(entries, 1_000).left).toBe(0);
  });
});
