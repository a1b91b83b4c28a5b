import { expect, test } from "vitest";
import { differences } from "./state-differences.js";

test("differences are the smallest parts that differ", () => {
  const before = { cart: { count: 1, items: [1, 2] }, user: "ada", gone: 1 };
  const after = { cart: { count: 2, items: [1, 3] }, user: "ada", come: { a: 1 } };
  expect(differences(before, after)).toEqual([
    { scope: "cart", path: "count", before: 1, after: 2 },
    { scope: "cart", path: "items.1", before: 2, after: 3 },
    { scope: "gone", path: "", before: 1, after: null },
    { scope: "come", path: "", before: null, after: { a: 1 } },
  ]);
  expect(differences(before, before)).toEqual([]);
});
