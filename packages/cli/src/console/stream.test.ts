import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRecord } from "./stream.js";

const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Every text in a value, keys too. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...texts(each)]);
}

describe("a record on its way to the terminal", () => {
  it("contains no control characters, however they were written", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    const list = fc.array(text, { maxLength: 5 });
    const data = fc.dictionary(text, fc.oneof(text, list), { noNullPrototype: true, maxKeys: 5 });
    fc.assert(
      fc.property(data, (record) => {
        for (const each of texts(parseRecord(JSON.stringify({ type: "console", data: record }))))
          expect(each).not.toMatch(OBEYED);
      }),
    );
  });

  it("is unchanged when there is nothing to remove", () => {
    const record = { type: "console", data: { args: ["plain", "täglich\n\tmehr", "😀"] } };
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });
});
