import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffDelay } from "./backoff.js";

const OPTIONS = { firstMs: 250, maxMs: 15_000 };

test("delays double up to the bound", () => {
  expect([0, 1, 2, 3, 50].map((attempt) => backoffDelay(attempt, OPTIONS, () => 1))).toEqual([
    250, 500, 1_000, 2_000, 15_000,
  ]);
});

test("a delay is at least half of its bound and never more than it", () => {
  fc.assert(
    fc.property(fc.nat(100), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const bound = backoffDelay(attempt, OPTIONS, () => 1);
      const delay = backoffDelay(attempt, OPTIONS, () => random);
      return delay >= bound / 2 && delay <= bound;
    }),
  );
});
