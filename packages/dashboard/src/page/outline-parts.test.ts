import { expect, it } from "vitest";
import { outlineParts } from "./outline-parts.js";

it.each([
  ['e3 button "Buy"', ["e3"]],
  ['  f2e5 textbox "Name"', ["f2e5"]],
  ['Do not press [e3 link "Delete"] before [e4 link "the terms"]', ["e3", "e4"]],
  ["# Offer e12 of today", []],
  ["e12", []],
  ["", []],
])("finds the refs in %j, and keeps the whole line", (line, refs) => {
  const parts = outlineParts(line);
  expect(parts.flatMap(({ ref }) => ref ?? [])).toEqual(refs);
  expect(parts.map(({ text }) => text).join("")).toBe(line);
});
