import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "./compare.js";

const items = (text: string): { key: string }[] => [...text].map((key) => ({ key }));
const shown = (a: string, b: string): string =>
  compare(items(a), items(b))
    .map((one) =>
      one.in === "both" ? one.first.key : one.in === "first" ? `-${one.first.key}` : `+${one.second.key}`,
    )
    .join("");

describe("comparing two runs", () => {
  it.each([
    ["", "", ""],
    ["abc", "abc", "abc"],
    ["abc", "axc", "a-b+xc"],
    ["abc", "ac", "a-bc"],
    ["ac", "abc", "a+bc"],
    ["aa", "a", "a-a"],
    ["abcd", "bcde", "-abcd+e"],
  ])("of %j and %j finds %j", (a, b, expected) => {
    expect(shown(a, b)).toBe(expected);
  });

  it("loses nothing, keeps the order of both, and finds as much in common as there is", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const found = compare(items(a), items(b));
        expect(found.flatMap((one) => (one.in === "second" ? [] : one.first.key)).join("")).toBe(a);
        expect(found.flatMap((one) => (one.in === "first" ? [] : one.second.key)).join("")).toBe(b);
        for (const one of found) if (one.in === "both") expect(one.first.key).toBe(one.second.key);
        const common = (x: string, y: string): number =>
          x === "" || y === ""
            ? 0
            : x[0] === y[0]
              ? 1 + common(x.slice(1), y.slice(1))
              : Math.max(common(x.slice(1), y), common(x, y.slice(1)));
        if (a.length + b.length <= 12)
          expect(found.filter((one) => one.in === "both")).toHaveLength(common(a, b));
      }),
    );
  });
});
