import { expect, test } from "vitest";
import { nearest, similarity } from "./similarity.js";

test("slips of letters, order and length are near; other words are not", () => {
  expect(similarity("Sing in", "Sign in")).toBeGreaterThan(0.5);
  expect(similarity("Save", "Save all")).toBeGreaterThan(0.5);
  expect(similarity("Save", "Delete")).toBeLessThan(0.3);
  expect(similarity("", "x")).toBe(0);
});

test("the nearest come first, and nothing that is far", () => {
  const found = nearest("Sumbit", ["Cancel", "Submit", "Submit order", "Help"], (text) => [text], 5);
  expect(found).toEqual(["Submit", "Submit order"]);
});
