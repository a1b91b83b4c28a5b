import { describe, expect, it } from "vitest";
import { markdownTokens } from "./bounded-lexer.js";
import { highlight } from "./highlighter.js";

/** Long enough that quadratic time takes seconds. */
const LENGTH = 30_000;
const MAX_MS = 400;
const PARTS = [
  ..."[](){}<>`*_~#-+|!&:;.,/\\'\"=@$%^? \n\ta0",
  ..."a |a@|a.|[a](|![|<a |<!--|``a|**a|*a |_a_|*_|- a\n|> |>>|&a|a\\|www.a|a@b.|(a|\n\n|[a]:|1. |$(|${".split(
    "|",
  ),
  ...'/*|//|<<|"a|\'a|a:|a: |- |f"|{a|a(|@a|--|=>|a=>|(a,|a\n| a\n|\t- |![[|~~a|**_'.split("|"),
];
const STARTS = ["", "a", "[", "<", "|a|b|\n|-|-|\n"];

/** Every text that takes too long, with its time. What is slow is slow every time. */
function slow(texts: readonly string[], read: (text: string) => void): string[] {
  const measure = (text: string): number => {
    const before = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  return texts
    .filter((text) => measure(text) > MAX_MS && measure(text) > MAX_MS)
    .map((text) => text.slice(0, 20));
}

const text = (start: string, part: string): string =>
  `${start}${part.repeat(Math.ceil(LENGTH / part.length))}\u0001`;

describe("text that is made to take long", () => {
  it("is read as Markdown in bounded time, and completely", () => {
    const texts = STARTS.flatMap((start) => PARTS.map((part) => text(start, part)));
    expect(
      slow(texts, (text) => {
        const read = markdownTokens(text)
          .map(({ raw }) => raw)
          .join("");
        expect(read.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    ).toEqual([]);
  });

  it.each(["bash", "css", "diff", "json", "python", "typescript", "xml", "yaml"])(
    "is coloured as %s in bounded time, or not at all",
    (language) => {
      // As long as colours are found at all, in words just below the longest.
      const texts = PARTS.map((part) =>
        text("", part)
          .replaceAll(/.{499}/gs, "$& ;")
          .slice(0, 20_000),
      );
      expect(slow(texts, (text) => highlight(text, language))).toEqual([]);
    },
  );
});
