import { expect, test } from "vitest";
import { matchesWildcard } from "./wildcard.js";

test.each([
  ["*", "", true],
  ["*", "http://a.test/x", true],
  ["http://*/x", "http://a.test/x", true],
  ["http://*/x", "http://a.test/xy", false],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["a\\*c", "a*c", true],
  ["a\\*c", "abc", false],
  ["*.png*", "http://a.test/b.png?1", true],
  ["a.c", "abc", false],
  ["", "", true],
  ["", "a", false],
])("%s and %s: %s", (pattern, text, matches) => expect(matchesWildcard(pattern, text)).toBe(matches));

test("a pattern of many wildcards matches quickly", () => {
  const cpuBefore = process.cpuUsage();
  expect(matchesWildcard(`${"*a".repeat(200)}*b`, "a".repeat(5_000))).toBe(false);
  expect(process.cpuUsage(cpuBefore).user / 1_000).toBeLessThan(1_000);
});
