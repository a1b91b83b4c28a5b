import fc from "fast-check";
import { expect, test } from "vitest";
import { describeError, toData, toText } from "./serialize.js";

test("data of JSON comes through as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(JSON.stringify(toData(value))).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
    }),
  );
});

test("anything at all becomes text and data without throwing", () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      (value) => {
        expect(typeof toText(value)).toBe("string");
        expect(typeof JSON.stringify(toData(value) ?? null)).toBe("string");
      },
    ),
  );
});

test("cycles, depth, count and length are bounded", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(toData(cycle)).toEqual({ self: "[Circular]" });
  const shared = { x: 1 };
  expect(toData([shared, shared])).toEqual([{ x: 1 }, { x: 1 }]);
  let deep: unknown = 1;
  for (let i = 0; i < 100; i++) deep = [deep];
  expect(JSON.stringify(toData(deep)).length).toBeLessThan(100);
  expect(JSON.stringify(toData(Array.from({ length: 100_000 }, () => 1))).length).toBeLessThan(50_000);
  expect(toText("y".repeat(20_000))).toMatch(/more characters\]$/);
});

test("what a censor hides is hidden by key and in text", () => {
  const censor = {
    mask: "#",
    hides: (key: string) => key === "pin",
    text: (text: string) => text.replace("1234", "#"),
  };
  expect(toData({ pin: 1, list: ["a 1234"], map: new Map([["pin", 2]]) }, censor)).toEqual({
    pin: "#",
    list: ["a #"],
    map: { pin: "#" },
  });
});

test("errors have words, also those without", () => {
  expect(describeError(new Error("x"))).toBe("x");
  expect(describeError("text")).toBe("text");
  for (const nothing of [undefined, null, {}, new Error("")])
    expect(describeError(nothing)).toBe("unknown_error");
});
