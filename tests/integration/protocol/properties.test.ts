import { BridgeError } from "@debug-bridge/protocol";
import { type Decoded, decode, wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomCases } from "../../support/machine/long-mode.js";
import { arbitraryOf } from "../../support/machine/zod-arbitrary.js";

const RUNS = randomCases(20, 150);

function expectTypedError(decoded: Decoded<unknown>): BridgeError {
  expect(decoded.ok).toBe(false);
  const { error } = decoded as { error: BridgeError };
  expect(error).toBeInstanceOf(BridgeError);
  expect(error.message.length).toBeGreaterThan(0);
  return error;
}

describe.each(Object.entries(wires))("%s", (_name, { schema, limits }) => {
  const valid = arbitraryOf(schema).filter((value) => schema.safeParse(value).success);
  const read = (value: unknown): Decoded<unknown> => decode(schema, JSON.stringify(value) ?? "", limits);

  it("reads back what it accepted, unchanged [CON-079, APP-005]", () => {
    fc.assert(
      fc.property(valid, (value) => {
        const first = read(value);
        if (!first.ok) throw first.error;
        expect(read(first.value)).toEqual(first);
      }),
      RUNS,
    );
  });

  it("answers any other JSON with a typed error that names a field", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const decoded = read(value);
        if (!decoded.ok) expect(expectTypedError(decoded).details).toHaveProperty("field");
      }),
      RUNS,
    );
  });

  it("names the field when one field of a valid message is invalid", () => {
    const junk = fc.constantFrom({ a: { b: [] } }, ["x", ["y"]], "\u0000".repeat(70_000), -1.5, true);
    fc.assert(
      fc.property(valid, junk, fc.nat(), (value, spoilt, pick) => {
        const message = (Array.isArray(value) ? value[0] : value) as Record<string, unknown>;
        const keys = Object.keys(message);
        const key = keys[pick % keys.length];
        if (key === undefined) return;
        const changed = { ...message, [key]: spoilt };
        const decoded = read(changed);
        if (decoded.ok) return;
        const error = expectTypedError(decoded);
        // A wire whose limit is below the long text refuses it before it looks at any field.
        if (error.code === "too_large") {
          expect(JSON.stringify(changed).length).toBeGreaterThan(limits.bytes);
          return;
        }
        const field = String(error.details?.field);
        expect(`${field}.`).toMatch(new RegExp(`^${key.replace("$", "\\$")}\\.`));
      }),
      RUNS,
    );
  });

  it("answers any text and any bytes with a value or a typed error, never an exception", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 200 })), (data) => {
        const decoded = decode(schema, data, limits);
        if (!decoded.ok) expectTypedError(decoded);
      }),
      RUNS,
    );
  });

  it("refuses what is too large, too deep, too wide or not UTF-8, before it costs much", () => {
    const started = process.memoryUsage().heapUsed;
    const tooLong = new Uint8Array(limits.bytes + 1).fill(0x20);
    expect(expectTypedError(decode(schema, tooLong, limits)).code).toBe("too_large");
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    expect(expectTypedError(decode(schema, deep, limits)).code).toBe("too_large");
    const deepObject = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    expect(expectTypedError(decode(schema, deepObject, limits)).code).toBe("too_large");
    const wide = `{${Array.from({ length: 1_000_000 }, (_, i) => `"${i}":0`).join(",")}}`;
    expect(expectTypedError(decode(schema, wide, limits)).code).toBe("too_large");
    const broken = new Uint8Array([0x22, 0xc3, 0x28, 0x22]);
    expect(expectTypedError(decode(schema, broken, limits)).message).toContain("UTF-8");
    expect(process.memoryUsage().heapUsed - started).toBeLessThan(200 * 1024 * 1024);
  });
});

describe("messages of 10 MB", () => {
  const carriesPictures = (name: string): boolean => name.startsWith("extension") || name === "chat.run";
  const tenMegabytes = JSON.stringify({ type: "hello", url: "x".repeat(10 * 1024 * 1024) });

  it.each(Object.entries(wires).filter(([name]) => !carriesPictures(name)))(
    "are refused by %s",
    (_name, { schema, limits }) => {
      expect(expectTypedError(decode(schema, tenMegabytes, limits)).code).toBe("too_large");
    },
  );

  it.each(Object.entries(wires).filter(([name]) => carriesPictures(name)))(
    "pass the size check of %s, which carries pictures, and fail on their fields",
    (_name, { schema, limits }) => {
      expect(["invalid_message", "unknown_type"]).toContain(
        expectTypedError(decode(schema, tenMegabytes, limits)).code,
      );
    },
  );
});
