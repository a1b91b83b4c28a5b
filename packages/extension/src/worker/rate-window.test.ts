import { describe, expect, it } from "vitest";
import { RateWindow } from "./rate-window.js";

describe("RateWindow", () => {
  const judged = (window: RateWindow, count: number, urgent = false, at = 1_000) => {
    const found = { alone: 0, batch: 0, drop: 0 };
    for (let i = 0; i < count; i++) found[window.judge(at, urgent)]++;
    return found;
  };

  it("batches above 50 a second and drops above 200", () => {
    expect(judged(new RateWindow(), 1_000)).toEqual({ alone: 50, batch: 150, drop: 800 });
  });

  it("drops logs before errors", () => {
    const window = new RateWindow();
    judged(window, 1_000);
    expect(judged(window, 150, true).drop).toBe(0);
    expect(judged(window, 10).drop).toBe(10);
  });

  it("goes by the time of the events, so that a backlog is no flood", () => {
    const window = new RateWindow();
    let drops = 0;
    for (let i = 0; i < 1_000; i++) if (window.judge(i * 10, false) === "drop") drops++;
    expect(drops).toBe(0);
  });
});
