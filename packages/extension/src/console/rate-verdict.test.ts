import { CONSOLE_RATE_LIMITS, RateWindow } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { judgeRate } from "./rate-verdict.js";

describe("the rate of a tab's events", () => {
  const newWindow = () => new RateWindow(CONSOLE_RATE_LIMITS.dropAbovePerSecond);
  const judge = (window: RateWindow, count: number, urgent = false, at = 1_000) => {
    const found = { alone: 0, batch: 0, drop: 0 };
    for (let i = 0; i < count; i++) found[judgeRate(window, at, urgent)]++;
    return found;
  };

  it("leads to batches above 50 a second and to drops above 200", () => {
    expect(judge(newWindow(), 1_000)).toEqual({ alone: 50, batch: 150, drop: 800 });
  });

  it("drops logs before errors", () => {
    const window = newWindow();
    judge(window, 1_000);
    expect(judge(window, 150, true).drop).toBe(0);
    expect(judge(window, 10).drop).toBe(10);
  });

  it("is measured by the time of the events, so that a backlog does not count as a flood", () => {
    const window = newWindow();
    let drops = 0;
    for (let i = 0; i < 1_000; i++) if (judgeRate(window, i * 10, false) === "drop") drops++;
    expect(drops).toBe(0);
  });
});
