import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripControlCharacters, truncate, utf8Length } from "./text.js";

describe("text from outside", () => {
  it("loses its control characters and keeps the rest", () => {
    expect(stripControlCharacters("\u001b[31mred\u001b[0m\ttab\nline\u009b1m\u0007\u202e")).toBe(
      "[31mred[0m\ttab\nline1m",
    );
  });

  it("has no control characters after that, and a second time changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const safe = stripControlCharacters(text);
        expect(safe).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
        expect(stripControlCharacters(safe)).toBe(safe);
      }),
    );
  });

  it("is measured in bytes as an encoder would write it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  it("is cut with a mark that counts what is missing, never inside a character", () => {
    expect(truncate("abcdefgh", 3)).toBe("abc… [5 more characters]");
    expect(truncate("abc", 3)).toBe("abc");
    expect(truncate("a😀b", 2)).toBe("a… [3 more characters]");
  });
});
