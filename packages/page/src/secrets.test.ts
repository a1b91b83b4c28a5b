import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formsOf,
  isSecretAutocomplete,
  isSecretName,
  maskHtmlNames,
  maskPairs,
  maskUrl,
  maskValues,
} from "./secrets.js";

describe("names", () => {
  test.each([
    "password",
    "newPassword",
    "access_token",
    "authToken",
    "x-api-key",
    "Authorization",
    "Set-Cookie",
    "clientSecret",
    "csrf",
    "sessionId",
    "otp",
    "cvv",
  ])("%s is secret", (name) => expect(isSecretName(name)).toBe(true));
  test.each([
    "name",
    "maxTokens",
    "tokens",
    "token_count",
    "cookieConsent",
    "passwordStrength",
    "email",
    "option",
    "compass",
  ])("%s is not", (name) => expect(isSecretName(name)).toBe(false));
  test("autocomplete tells of passwords, codes and cards", () => {
    expect(isSecretAutocomplete("section-a current-password")).toBe(true);
    expect(isSecretAutocomplete("cc-csc")).toBe(true);
    expect(isSecretAutocomplete("email")).toBe(false);
  });
});

describe("URLs and bodies", () => {
  test("only secret parameters are masked", () => {
    expect(maskUrl("https://a.b/c?x=1&access_token=abc#id_token=def")).toBe(
      "https://a.b/c?x=1&access_token=•••#id_token=•••",
    );
    expect(maskUrl("https://user:pass@a.b/")).toBe("https://user:•••@a.b/");
    expect(maskUrl("/plain?page=2")).toBe("/plain?page=2");
  });

  test("pairs in JSON, forms and headers", () => {
    expect(maskPairs('{"a":"b","password" : "x\\"y","n":1}')).toBe('{"a":"b","password" : "•••","n":1}');
    expect(maskPairs("user=ada&password=x&y=1")).toBe("user=ada&password=•••&y=1");
    expect(maskPairs("Authorization: Bearer abcdef123456")).toBe("Authorization: Bearer •••");
    expect(maskPairs("nothing here")).toBe("nothing here");
  });

  test("attributes and links in HTML", () => {
    expect(maskHtmlNames('<a data-token="x" href="/a?b=1&amp;token=y" title="t">')).toBe(
      '<a data-token="•••" href="/a?b=1&amp;token=•••" title="t">',
    );
  });
});

test("a value is found in every form in which text can hold it", () => {
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
        ];
        for (const text of texts) {
          const masked = maskValues(`>>${text}<<`, forms);
          expect(masked).toContain("•••");
        }
      },
    ),
  );
});
