import { expect, it } from "vitest";
import { wrap } from "./help.js";

it("wraps at the width, keeps paragraphs and indentation, and never splits a word", () => {
  expect(wrap("one two three four", 9)).toBe("one two\nthree\nfour");
  expect(wrap("  one two three\n\nlast", 9)).toBe("  one two\n  three\n\nlast");
  expect(wrap("extraordinarily long", 5)).toBe("extraordinarily\nlong");
});
