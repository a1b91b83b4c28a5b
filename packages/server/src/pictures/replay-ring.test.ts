import { expect, it } from "vitest";
import { ReplayRing } from "./replay-ring.js";

it("a replay ring keeps whole segments and drops the oldest first", () => {
  const ring = new ReplayRing(undefined, 2_500);
  ring.add(1, "x".repeat(500), true);
  ring.add(2, "y".repeat(500), false);
  ring.add(3, "x".repeat(900), true);
  expect(ring.all().map(({ at, end, parts }) => [at, end, parts.length])).toEqual([
    [1, 3, 2],
    [3, undefined, 1],
  ]);
  ring.add(4, "y".repeat(900), false);
  expect(ring.all().map(({ at, parts }) => [at, parts.length])).toEqual([[3, 2]]);
  expect(ring.measure()).toBeLessThanOrEqual(2_500);
});

it("a replay ring keeps no events without their start", () => {
  const ring = new ReplayRing(undefined, 1_000);
  ring.add(1, "[]", false);
  expect(ring.all()).toEqual([]);
  ring.add(2, "[1]", true);
  ring.end(3);
  ring.add(4, "[2]", false);
  expect(ring.all()).toMatchObject([{ at: 2, end: 3, parts: ["[1]"] }]);
  ring.add(5, "z".repeat(2_000), true);
  ring.add(6, "[3]", false);
  expect(ring.all()).toEqual([]);
});
