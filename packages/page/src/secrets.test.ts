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
    "otp_code",
    "cvv",
    "pass",
    "pw",
    "pin",
    "auth",
    "user_pass",
    "userPass",
    "login[pass]",
    "new-pw2",
    "cardPin",
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
    "passenger",
    "spin",
    "pinned",
    "author",
    "auth_url",
    "pass_count",
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
    expect(maskUrl("/login?user=ada&pw=abc")).toBe("/login?user=ada&pw=•••");
  });

  test("pairs in JSON, forms and headers", () => {
    expect(maskPairs('{"a":"b","password" : "x\\"y","n":1}')).toBe('{"a":"b","password" : "•••","n":1}');
    expect(maskPairs("user=ada&password=x&y=1")).toBe("user=ada&password=•••&y=1");
    expect(maskPairs("Authorization: Bearer abcdef123456")).toBe("Authorization: Bearer •••");
    expect(maskPairs("nothing here")).toBe("nothing here");
  });

  test("numbers, strings inside strings, and strings that the text cuts off", () => {
    expect(maskPairs('{"password":87654321,"n":1}')).toBe('{"password":"•••","n":1}');
    const twice = JSON.stringify({ body: JSON.stringify({ password: 'x"y', n: 1, pin: 1234 }) });
    expect(JSON.parse(JSON.parse(maskPairs(twice)).body)).toEqual({ password: "•••", n: 1, pin: "•••" });
    const thrice = JSON.stringify({ a: twice });
    expect(maskPairs(thrice)).not.toMatch(/x|1234/);
    expect(maskPairs('{"a":1,"password":"hunt')).toBe('{"a":1,"password":"•••"');
  });

  test("URLs and pairs inside text", () => {
    expect(maskPairs("GET /a?token=abc&x=1 failed")).toBe("GET /a?token=•••&x=1 failed");
    expect(maskPairs("to http://u:pw@h/cb?x=1#access_token=abc\nand /b?pw=x")).toBe(
      "to http://u:•••@h/cb?x=1#access_token=•••\nand /b?pw=•••",
    );
    expect(maskPairs("user=ada password=abc")).toBe("user=ada password=•••");
    expect(maskPairs("password=it's<x>&y=1")).toBe("password=•••&y=1");
    expect(maskPairs('<a href="/x?token=abc" title="t">')).toBe('<a href="/x?token=•••" title="t">');
  });

  test("names that the app adds hold everywhere", () => {
    const hides = (name: string): boolean => name === "iban";
    expect(maskUrl("/a?iban=x&token=y", hides)).toBe("/a?iban=•••&token=y");
    expect(maskPairs('{"iban":"x"} \\"iban\\":1', hides)).toBe('{"iban":"•••"} \\"iban\\":\\"•••\\"');
    expect(maskHtmlNames('<a data-iban="x" href="/?iban=y">', hides)).toBe(
      '<a data-iban="•••" href="/?iban=•••">',
    );
  });

  test("no text takes long, whatever it holds", () => {
    const hostile = ["\\", '"', "a=", "a:", '"a":', '\\"a\\":\\"', "a.", "?", "bearer ", " ", "://", "&"];
    for (const part of hostile) {
      const text = `@=:${part.repeat(60_000 / part.length)}`;
      const begun = performance.now();
      maskPairs(text);
      maskHtmlNames(text);
      expect(performance.now() - begun, part).toBeLessThan(500);
    }
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
