import { describe, expect, it } from "vitest";
import { type NumberStore, Numbers } from "./numbers.js";

function memory(start: Record<string, string> = {}): NumberStore {
  const kept = new Map(Object.entries(start));
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

const take = (numbers: Numbers, count: number): number[] =>
  Array.from({ length: count }, () => numbers.next());

describe("numbers of a document", () => {
  it("continue where the previous document ended, and after one that comes back", () => {
    const store = memory();
    const first = new Numbers(store, "n");
    const second = new Numbers(store, "n");
    const given = [...take(first, 150), ...take(second, 150), ...take(first, 150), ...take(second, 80)];
    expect(new Set(given).size).toBe(given.length);
  });

  it("start at random without a storage, and with one that throws or holds nonsense", () => {
    const throwing: NumberStore = {
      getItem() {
        throw new Error("denied");
      },
      setItem() {
        throw new Error("full");
      },
    };
    for (const store of [
      undefined,
      throwing,
      memory({ n: "abc" }),
      memory({ n: "-4" }),
      memory({ n: "1e99" }),
    ]) {
      const [first = 0, ...rest] = take(new Numbers(store, "n"), 250);
      expect(first).toBeGreaterThanOrEqual(1_000);
      expect(first).toBeLessThan(10_000);
      expect(rest).toEqual(rest.map((_, i) => first + 1 + i));
    }
  });

  it("never grow beyond what a ref may be", () => {
    const numbers = new Numbers(memory({ n: "900000050" }), "n");
    expect(numbers.next()).toBeLessThan(10_000);
  });
});
