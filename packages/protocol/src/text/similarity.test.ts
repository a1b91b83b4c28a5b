import { expect, test } from "vitest";
import { nearest, similarity } from "./similarity.js";

test("texts that differ in a few letters, order or length are similar; other words are not", () => {
  expect(similarity("Sing in", "Sign in")).toBeGreaterThan(0.5);
  expect(similarity("Save", "Save all")).toBeGreaterThan(0.5);
  expect(similarity("Save", "Delete")).toBeLessThan(0.3);
  expect(similarity("", "x")).toBe(0);
});

test("the nearest come first, and dissimilar ones are left out", () => {
  const found = nearest("Sumbit", ["Cancel", "Submit", "Submit order", "Help"], (text) => [text], 5);
  expect(found).toEqual(["Submit", "Submit order"]);
});
