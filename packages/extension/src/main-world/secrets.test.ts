import { MASK } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSecretName, maskText } from "./secrets.js";

/** The same rules as expressions, which are shorter to read; the page's world must not run them. */
const NAME =
  /pass(?:word|wd|phrase|code)|pwd|secret|token(?!s)|authori[sz]ation|cookie|credential|session[-_]?id|jwt|csrf|xsrf|(?:api|access|private)[-_]?key|(?:^|[-_])otp(?![a-z])|cvv|cvc|card[-_]?num/i;
const PAIR =
  /((?:pass(?:word|wd|phrase|code)|pwd|secret|token|authori[sz]ation|cookie|session[-_]?id|jwt|(?:api|access|private)[-_]?key)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?|\bbearer\s+)([\w\-.~+/=%]{4,})/gi;

const piece = fc.constantFrom(
  ...[
    "password",
    "Passwd",
    "TOKEN",
    "tokens",
    "api_key",
    "access-key",
    "sessionId",
    "session_id",
    "otp",
    "_otp",
  ],
  ...[
    "authorization",
    "Bearer",
    "basic",
    "cookie",
    "jwt",
    "cvv",
    "credential",
    "laptop",
    "card-num",
    "x",
    "İ",
  ],
  ...[":", "=", " ", '"', "'", "abc", "abcd", "a.b-c", "\n", "_", "-", ",", "é"],
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));

describe("secrets", () => {
  it("are masked in text after their name", () => {
    expect(maskText("GET /?access_token=abcdef&page=2")).toBe(`GET /?access_token=${MASK}&page=2`);
    expect(maskText('{"password": "hunter22"}')).toBe(`{"password": "${MASK}"}`);
    expect(maskText("Authorization: Bearer abc.def")).toBe(`Authorization: Bearer ${MASK}`);
    expect(maskText("tokens: 1234")).toBe("tokens: 1234");
  });

  it("are masked however many there are", () => {
    const line = "token=abcdef ".repeat(50);
    expect(maskText(line)).toBe(`token=${MASK} `.repeat(50));
  });

  it("are found as the expressions say", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(isSecretName(name)).toBe(NAME.test(name));
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(text, (line) => {
        const expected = line.replace(PAIR, (_all, before: string) => `${before}${MASK}`);
        if (/[=:]|earer /.test(line)) expect(maskText(line)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it("are looked for without leaving a trace in the legacy members of RegExp", () => {
    /(b+)/.exec("abbbc");
    maskText("token=abcdef");
    isSecretName("password");
    expect((RegExp as unknown as { $1: string }).$1).toBe("bbb");
  });
});
