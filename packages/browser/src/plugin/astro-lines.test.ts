import { expect, it } from "vitest";
import { withAstroLines } from "./astro-lines.js";

/** Lines that are added for the places after each mark. */
function linesOf(marked: string, ...places: string[]): (string | undefined)[] {
  return places.map(
    (place) => /line="(\d+)"/.exec(withAstroLines(`<a data-astro-source-loc="${place}">`, marked))?.[1],
  );
}

it("finds where a tag begins from where it ends", () => {
  expect(linesOf("<p>\n  <button\n    title='a > b'\n  >Two</button>", "1:4", "4:4")).toEqual(["1", "2"]);
  expect(linesOf('<img\n  src="a" />', "1:2")).toEqual(["1"]);
});

it("passes over tags and brackets in values", () => {
  const source = "<ul\n  class={list.map((a) => `a > 1 ? {}>`)}\n  title={[<b\n>x</b>].length}>";
  expect(linesOf(source, "4:17", "4:2")).toEqual(["1", "3"]);
});

it("adds nothing where the place is no end of a tag", () => {
  expect(linesOf("<p>\n text</p>", "2:3", "7:1", "1:1")).toEqual([undefined, undefined, undefined]);
  expect(linesOf("a > b", "1:4")).toEqual([undefined]);
});
