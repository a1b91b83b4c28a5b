import fc from "fast-check";

/** Strings that parsers, terminals and file formats get wrong. */
const AWKWARD_STRINGS = [
  "",
  " ",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "..",
  ".",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff tail",
  "\u202e reversed \u2066 isolate",
  "\u2028\u2029",
  "\u001b]0;title\u0007\u001b[2J\u001b[31m",
  "\u009b31m",
  "\r\n\r\ndata: injected\n\n",
  '\n{"type":"injected"}\n',
  "]]>&lt;<![CDATA[",
  "\ufeff",
  "NaN",
  "-0",
  "1e400",
  "9007199254740993",
  "x".repeat(5_000),
  "\u0301".repeat(300),
] as const;

export const awkwardString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...AWKWARD_STRINGS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);

/** Numbers as JSON text; several are not numbers that JavaScript can hold. */
const numberText = fc.constantFrom(
  ...[
    "0",
    "-0",
    "-1",
    "1.5",
    "1e400",
    "-1e400",
    "1e-400",
    "9007199254740993",
    "9".repeat(400),
    "1e999999999",
  ],
);

export const awkwardValue: fc.Arbitrary<unknown> = fc.oneof(
  awkwardString,
  fc.constantFrom(null, true, false, [], {}, [[]], -1, 1.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER),
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
);

const deepText = fc
  .tuple(fc.constantFrom("[", '{"a":', '{"type":'), fc.constantFrom(10, 63, 64, 65, 130, 600, 3_000))
  .map(([open, depth]) => `${open.repeat(depth)}1${(open === "[" ? "]" : "}").repeat(depth)}`);

const duplicateKeys = fc
  .tuple(awkwardString, fc.array(awkwardValue, { minLength: 2, maxLength: 4 }))
  .map(
    ([key, values]) =>
      `{${values.map((value) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`,
  );

/** Layer 1: text that no schema had a part in. */
export const rawText: fc.Arbitrary<string> = fc.oneof(
  awkwardString,
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.json({ maxDepth: 4 }),
  deepText,
  duplicateKeys,
  numberText,
  numberText.map((number) => `{"type":${number},"id":${number},"timestamp":${number}}`),
  fc.constantFrom(
    '{"__proto__":{"type":"hello"}}',
    '{"type":"__proto__"}',
    '{"type":"constructor"}',
    "{",
    "[]",
    "{}",
  ),
  fc.constant(`{${Array.from({ length: 3_000 }, (_, i) => `"k${i}":${i}`).join(",")}}`),
);

/** Layer 1: bytes, most of which are not UTF-8. */
export const rawBytes: fc.Arbitrary<Buffer> = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(rawText, fc.nat(), fc.constantFrom(0x80, 0xc3, 0xed, 0xf8, 0xff, 0x00))
      .map(([text, at, byte]) => {
        const bytes = Buffer.from(text);
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return bytes;
      }),
  )
  .map((bytes) => Buffer.from(bytes));
