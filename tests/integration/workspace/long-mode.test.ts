import { expect, it } from "vitest";
import { choose } from "../../support/machine/long-mode.js";

const CASES = ["a", "b", "c", "d", "e", "f", "g", "h"];

it("a short run takes as many cases as it should, in their order, and the same ones for the same seed", () => {
  for (let seed = 0; seed < 100; seed++) {
    const chosen = choose(CASES, 3, seed);
    expect(chosen).toHaveLength(3);
    expect(chosen).toEqual(chosen.toSorted());
    expect(choose(CASES, 3, seed)).toEqual(chosen);
  }
});

it("short runs with other seeds take other cases, so that each one is taken now and then", () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 1_000; seed++)
    for (const each of choose(CASES, 2, seed * 977)) counts.set(each, (counts.get(each) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual(CASES);
  for (const [each, count] of counts) expect(count, each).toBeGreaterThan(100);
});
