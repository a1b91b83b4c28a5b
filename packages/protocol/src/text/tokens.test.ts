import fc from "fast-check";
import { encode } from "gpt-tokenizer";
import { expect, test } from "vitest";
import { estimateTokens } from "./tokens.js";

test("lines of a page never cost more than a tenth above the estimate", () => {
  const word = fc.constantFrom(
    "Save",
    "button",
    "Delete account",
    "user42@example.org",
    "2026-01-31",
    "€ 12.50",
    "Größe",
    "e120",
    "https://a.example/b?c=d",
    "设置",
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 20, maxLength: 60 }), (words) => {
      const text = words.map((each, i) => `e${i} button "${each}"`).join("\n");
      expect(encode(text).length).toBeLessThanOrEqual(estimateTokens(text) * 1.1);
    }),
  );
});

test("more text never costs less", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => estimateTokens(`${a} ${b}`) >= estimateTokens(a)),
  );
});
