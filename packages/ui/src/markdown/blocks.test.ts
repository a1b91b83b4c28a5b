import fc from "fast-check";
import { expect, it } from "vitest";
import { BlockReader } from "./blocks.js";
import { safeUrl } from "./safe-url.js";

const TEXT =
  "# Title\n\nSome *text* here\nand there.\n\n- one\n\n  more of one\n- two\n\n```ts\nlet a = 1;\n\n// b\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n> quote\n\nEnd.";

const shape = (reader: BlockReader, text: string): unknown =>
  reader.read(text).map(({ token, at }) => [at, token.type, token.raw.trimEnd()]);

it("splits growing text into the same blocks as the whole text, however it grows", () => {
  const whole = shape(new BlockReader(), TEXT);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: TEXT.length }), { maxLength: 30 }), (cuts) => {
      const reader = new BlockReader();
      for (const cut of cuts.sort((a, b) => a - b)) reader.read(TEXT.slice(0, cut));
      expect(shape(reader, TEXT)).toEqual(whole);
    }),
  );
});

it("starts again with another text", () => {
  const reader = new BlockReader();
  reader.read(TEXT);
  expect(shape(reader, "Other")).toEqual([[0, "paragraph", "Other"]]);
});

it("takes only addresses of the web as links", () => {
  expect(safeUrl("https://example.com/a b")).toBe("https://example.com/a%20b");
  for (const href of [
    "javascript:alert(1)",
    " JaVaScript:x",
    "data:text/html,x",
    "file:///etc/passwd",
    "/path",
    "//x",
    "",
  ])
    expect(safeUrl(href), href).toBeUndefined();
});
