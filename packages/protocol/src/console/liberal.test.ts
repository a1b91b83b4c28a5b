import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consoleMessageSchema } from "../schema/console/wire.js";
import { liberalEvent } from "./liberal.js";

const event = (args: unknown, source?: object): object => ({
  ...{ version: "1.0.0", type: "console_event", timestamp: "2026-01-01T00:00:00.000Z" },
  ...(source ? { source } : {}),
  payload: { method: "log", args },
});

describe("console events of other senders", () => {
  it.each([
    [{ type: "undefined", value: "undefined" }, { type: "undefined" }],
    [{ type: "null", value: "null" }, { type: "null" }],
    [
      { type: "function", value: null, name: "f" },
      { type: "function", name: "f" },
    ],
    [
      { type: "dom", value: '<button id="b">' },
      { type: "dom", value: '<button id="b">', tagName: "button" },
    ],
    [
      { type: "dom", value: { id: "b" } },
      { type: "dom", value: '{"id":"b"}', tagName: "element" },
    ],
    [{ type: "circular", value: null }, { type: "circular" }],
    [
      { type: "number", value: null },
      { type: "number", value: "NaN" },
    ],
    [
      { type: "number", value: "12" },
      { type: "number", value: 12 },
    ],
    [
      { type: "error", value: { message: "no" }, stack: "s" },
      { type: "error", value: "Error: no", stack: "s" },
    ],
    [
      { type: "object", value: { a: 1, b: [null, "x"] } },
      {
        type: "object",
        value: {
          a: { type: "number", value: 1 },
          b: { type: "array", value: [{ type: "null" }, { type: "string", value: "x" }] },
        },
      },
    ],
  ])("are read with any value: %j", (given, read) => {
    const liberal = liberalEvent(event([given])) as { payload: { args: unknown[] } };
    expect(liberal.payload.args).toEqual([read]);
    expect(consoleMessageSchema.safeParse(liberal).success).toBe(true);
  });

  it("need no source", () => {
    expect(consoleMessageSchema.safeParse(event([])).success).toBe(false);
    expect(consoleMessageSchema.safeParse(liberalEvent(event([]))).success).toBe(true);
  });

  it("become valid whatever their values hold", () => {
    const types = "string number boolean null undefined object array function dom circular error".split(" ");
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.jsonValue(), (type, value) => {
        const read = consoleMessageSchema.safeParse(liberalEvent(event([{ type, value }])));
        // A text that is no number stays what it is, and is refused.
        if (type === "number" && typeof value === "string") return;
        expect(read.error?.message).toBeUndefined();
      }),
    );
  });

  it("leave everything else as it is", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(liberalEvent(value)).toEqual(value)));
  });
});
