import { describe, expect, it } from "vitest";
import { commandSchema } from "./commands.js";
import { whyPatternIsRefused } from "./pattern.js";

const command = (fields: object) =>
  commandSchema.safeParse({ sessionId: "s", timestamp: 1, origin: "agent", type: "find", ...fields });

describe("patterns to search a page with", () => {
  it.each([
    "order \\d+ .* paid",
    "^Total: [\\d.,]+$",
    "(?:EUR|USD) \\d{1,6}",
    "(colou?r)s?",
    "[*+]{2}",
    "\\(a+\\)+",
    "\\d{1,4} of \\d{1,4} rows in .*",
    "\\d{1,9} .* \\d{1,9}",
  ])("allows %s", (pattern) => {
    expect(whyPatternIsRefused(pattern)).toBeUndefined();
  });

  it.each([
    ["(a+)+$", "a repeated group"],
    ["(a|aa)*b", "a repeated group"],
    ["((a?)b)+", "a repeated group"],
    ["(x(y*)z){2,}", "a repeated group"],
    ["(\\w+\\s?)*$", "a repeated group"],
    ["(a)\\1", "refers back"],
    ["a*b*c*d*", "combine in too many ways"],
    ["\\d+ of \\d+ in \\d+", "give them an end"],
    ["a*b*c{200}", "combine in too many ways"],
    ["x".repeat(201), "longer than 200"],
    ["(", "Invalid regular expression"],
  ])("refuses %s", (pattern, reason) => {
    expect(whyPatternIsRefused(pattern)).toContain(reason);
  });

  it("bounds the time of every pattern that it allows, in a text of 300 characters", () => {
    for (const pattern of ["a*a*a?b", "(?:aa)*a*b", "a+a+$b", ".*.{1,9}.{1,30}x", "a{0,17}a*a{0,17}b"]) {
      expect(whyPatternIsRefused(pattern)).toBeUndefined();
      const cpuBefore = process.cpuUsage();
      new RegExp(pattern, "i").test("a".repeat(300));
      const { user } = process.cpuUsage(cpuBefore);
      expect(user / 1_000, pattern).toBeLessThan(2_000);
    }
  });
});

describe("the command find", () => {
  it("says what it needs when it is given nothing", () => {
    expect(command({}).error?.issues[0]?.message).toBe(
      "say what to find: text, pattern, role, name, state or source",
    );
    expect(command({ target: { ref: "e1" } }).success).toBe(false);
  });

  it("takes a search by any of them, and refuses a dangerous pattern with the reason", () => {
    for (const wanted of [{ text: "a" }, { role: "button" }, { state: "checked" }, { source: "App.tsx" }])
      expect(command(wanted).success).toBe(true);
    expect(command({ pattern: "(a+)+" }).error?.issues[0]?.message).toContain("a repeated group");
    expect(command({ state: "sleepy" }).success).toBe(false);
  });
});
