import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ddmin } from "./ddmin.js";

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Shrinks numbers, of which these must all be there. */
async function shrink(length: number, needed: readonly number[], jobs = 2) {
  const tried: string[] = [];
  const result = await ddmin(range(length), {
    jobs,
    keyOf: (item) => item,
    async test(items) {
      tried.push(items.join());
      return needed.every((each) => items.includes(each)) ? items : undefined;
    },
  });
  return { result, tried };
}

describe("delta debugging", () => {
  test("finds exactly the items that are needed, wherever they are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 120 })
          .chain((length) =>
            fc.tuple(
              fc.constant(length),
              fc.uniqueArray(fc.integer({ min: 0, max: length - 1 }), { minLength: 0, maxLength: 5 }),
            ),
          ),
        async ([length, needed]) => {
          const { result } = await shrink(length, needed);
          expect([...result]).toEqual([...needed].sort((a, b) => a - b));
        },
      ),
      { numRuns: 100 },
    );
  });

  test("tries nothing twice, and needs far fewer trials than there are subsets", async () => {
    const { tried } = await shrink(200, [17, 101, 180]);
    expect(new Set(tried).size).toBe(tried.length);
    expect(tried.length).toBeLessThan(60);
  });

  test("continues with fewer items when a trial did not need all of them", async () => {
    const sizes: number[] = [];
    const result = await ddmin(range(100), {
      jobs: 1,
      keyOf: (item) => item,
      async test(items) {
        sizes.push(items.length);
        return items.includes(3) ? [3] : undefined;
      },
    });
    expect(result).toEqual([3]);
    expect(sizes.length).toBeLessThan(5);
  });

  test("ends when time is over, with what was found until then", async () => {
    let trials = 0;
    const result = await ddmin(range(64), {
      jobs: 1,
      keyOf: (item) => item,
      isOver: () => trials >= 3,
      async test(items) {
        trials++;
        return items.includes(60) ? items : undefined;
      },
    });
    expect(trials).toBe(3);
    expect(result).toContain(60);
    expect(result.length).toBeLessThan(64);
  });
});
