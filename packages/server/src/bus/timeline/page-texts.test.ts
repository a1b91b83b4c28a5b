import { expect, test } from "vitest";
import type { Entry } from "../../timeline/timeline.js";
import { PageTexts } from "./page-texts.js";

const entry = (type: string, data: object = {}): Entry => ({
  ...{ type, at: 1, sequence: 1, json: JSON.stringify(data), causedBy: undefined, source: "" },
});
const hello = (instanceId?: string): Entry => entry("hello", { instanceId });

test("a page that connects again keeps the text with its capabilities, and of its addresses the newest", () => {
  const pages = new PageTexts();
  pages.add(1, [hello("a"), entry("console")]);
  pages.add(2, [entry("capabilities")]);
  for (const number of [3, 4, 5]) pages.add(number, [entry("navigation"), entry("console")]);
  pages.add(6, [entry("console")]);
  pages.add(7, [hello("a")]);
  expect(pages.list()).toEqual([1, 2, 5, 7]);
});

test("what was said of another page load is forgotten", () => {
  for (const next of [hello("b"), hello()]) {
    const pages = new PageTexts();
    pages.add(1, [hello("a"), entry("capabilities"), entry("navigation")]);
    pages.add(2, [next]);
    expect(pages.list()).toEqual([2]);
  }
});
