import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSecretName } from "../inert/secrets/secret-names.js";
import { maskHtmlNames } from "./html-names.js";
import { formsOf, isSecretAutocomplete, maskValues } from "./secrets.js";

test("autocomplete names passwords, codes and cards", () => {
  expect(isSecretAutocomplete("section-a current-password")).toBe(true);
  expect(isSecretAutocomplete("cc-csc")).toBe(true);
  expect(isSecretAutocomplete("email")).toBe(false);
});

describe("HTML", () => {
  test("attributes and links in HTML", () => {
    expect(maskHtmlNames('<a data-token="x" href="/a?b=1&amp;token=y" title="t">', isSecretName)).toBe(
      '<a data-token="•••" href="/a?b=1&amp;token=•••" title="t">',
    );
  });

  test("names that the app adds are masked too", () => {
    const hides = (name: string): boolean => name === "iban";
    expect(maskHtmlNames('<a data-iban="x" href="/?iban=y">', hides)).toBe(
      '<a data-iban="•••" href="/?iban=•••">',
    );
  });

  test("hostile text does not take long", () => {
    for (const part of ["\\", '"', "a=", "a:", '"a":', "a.", "?", " ", "&"]) {
      const cpuBefore = process.cpuUsage();
      maskHtmlNames(part.repeat(60_000 / part.length), isSecretName);
      expect(process.cpuUsage(cpuBefore).user / 1_000, part).toBeLessThan(500);
    }
  });
});

test("a value is found in every encoding that text can contain", () => {
  fc.assert(
    fc.property(
      fc
        .string({ minLength: 4, maxLength: 20 })
        .filter((value) => value.trim().length >= 4 && !"•".includes(value)),
      (value) => {
        const forms = formsOf(value);
        const texts = [
          value,
          JSON.stringify({ a: value }),
          `<p>${value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")}</p>`,
          `?q=${encodeURIComponent(value)}`,
          String(new URLSearchParams({ q: value })),
          JSON.stringify({ body: JSON.stringify({ a: value }) }),
        ];
        for (const text of texts) {
          const masked = maskValues(`>>${text}<<`, forms);
          expect(masked).toContain("•••");
        }
      },
    ),
  );
});
