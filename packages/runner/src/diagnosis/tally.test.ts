import { describe, expect, it } from "vitest";
import { nextSteps } from "./next-steps.js";
import { Tally } from "./tally.js";

const LIMITS = { maxConsecutiveErrors: 3, totalErrorThreshold: 10 };
const fine = { type: "click", success: true, jsErrors: 0, networkErrors: 0 };

describe("the state of the diagnostic loop", () => {
  it("counts failed actions in a row, and starts again at 0 after a success [RUN-009, RUN-028]", () => {
    const tally = new Tally();
    for (let i = 0; i < 2; i++) tally.record({ ...fine, success: false });
    expect(tally.state.consecutiveErrors).toBe(2);
    expect(tally.tooMany(LIMITS)).toBeUndefined();
    tally.record(fine);
    expect(tally.state).toMatchObject({ consecutiveErrors: 0, totalErrors: 2, failedActions: 2 });
    for (let i = 0; i < 3; i++) tally.record({ ...fine, success: false });
    expect(tally.tooMany(LIMITS)).toContain("3 actions failed in a row (maxConsecutiveErrors is 3)");
  });

  it("counts JavaScript and network errors alike, up to the tenth [RUN-008, RUN-029]", () => {
    const tally = new Tally();
    tally.record({ ...fine, jsErrors: 4, networkErrors: 5 });
    expect(tally.tooMany(LIMITS)).toBeUndefined();
    tally.record({ ...fine, jsErrors: 1 });
    expect(tally.state).toMatchObject({ totalErrors: 10, jsErrors: 5, networkErrors: 5 });
    expect(tally.tooMany(LIMITS)).toContain("10 errors in all (5 JavaScript, 5 network, 0 failed actions");
    expect(tally.tooMany({ ...LIMITS, totalErrorThreshold: 11 })).toBeUndefined();
  });

  it("keeps the duration and the last action [RUN-010]", () => {
    let now = 1_000;
    const tally = new Tally(() => now);
    now = 4_500;
    tally.record({ ...fine, type: "scroll", success: false });
    expect(tally.state).toMatchObject({
      sessionDurationMs: 3_500,
      actions: 1,
      lastAction: { type: "scroll", success: false, at: "1970-01-01T00:00:04.500Z" },
    });
  });

  it("suggests what to try next", () => {
    const click = {
      type: "click" as const,
      screenshots: "none" as const,
      targets: "a",
      visualVerify: false,
      visualThreshold: 0.05,
      button: "left" as const,
    };
    const failed = (code: "target_not_found" | "session_not_found" | "internal") => ({
      success: false,
      error: { code, message: "x" },
    });
    expect(nextSteps(click, { success: true }, 0, undefined)).toEqual([]);
    expect(nextSteps(click, { success: true }, 2, undefined)[0]).toContain("<type>diagnose</type>");
    expect(nextSteps(click, failed("session_not_found"), 0, "http://a.test/")[0]).toContain(
      "<url>http://a.test/</url>",
    );
    const found = { code: "target_not_found" as const, message: "x", details: { candidates: [{}] } };
    expect(nextSteps(click, { success: false, error: found }, 0, undefined)[0]).toContain("candidates");
    expect(nextSteps(click, failed("target_not_found"), 0, undefined).join()).not.toContain("candidates");
    const wrong = { code: "invalid_message" as const, message: "x", details: { field: "key" } };
    expect(nextSteps(click, { success: false, error: wrong }, 0, undefined)[0]).toContain("Correct key");
    expect(nextSteps(click, failed("internal"), 0, undefined)).toHaveLength(2);
    expect(nextSteps(click, { success: false, shutdown: "too many" }, 0, undefined)[0]).toContain(
      "<type>start</type>",
    );
  });
});
