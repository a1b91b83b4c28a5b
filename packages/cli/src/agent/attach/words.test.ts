import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "./words.js";

describe("words", () => {
  it.each([
    ["", []],
    ["  pause  ", ["pause"]],
    ['inject user "Look here."', ["inject", "user", "Look here."]],
    ["set a 'b \"c\"'", ["set", "a", 'b "c"']],
    ['a"b c"d', ["ab cd"]],
    ['""', [""]],
    ["a\\ b", ["a b"]],
    ["'a\\b'", ["a\\b"]],
    ['"open end', ["open end"]],
  ])("of %j are %j", (text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  it("are restored completely from quotes, whatever they contain", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const text = words.map((word) => `"${word.replaceAll(/[\\"]/g, "\\$&")}"`).join(" ");
        expect(wordsOf(text)).toEqual(words);
      }),
    );
  });
});
