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
  it("holds nothing that a terminal would obey, however it was written", () => {
    const text = fc.string({ unit: "binary" });
    const data = fc.dictionary(text, fc.oneof(text, fc.array(text)), { noNullPrototype: true });
    fc.assert(
      fc.property(data, (record) => {
        for (const each of texts(parseRecord(JSON.stringify({ type: "console", data: record }))))
          expect(each).not.toMatch(OBEYED);
      }),
    );
  });

  it("is what it was when there is nothing to take out", () => {
    const record = { type: "console", data: { args: ["plain", "täglich\n\tmehr", "😀"] } };
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });
});
