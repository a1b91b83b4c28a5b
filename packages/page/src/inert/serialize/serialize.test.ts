import { type ConsoleArgument, MASK } from "@debug-bridge/protocol";
import { consoleArgumentSchema, findArgumentExcess } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serialize } from "./serialize.js";
import { CONSOLE_VALUE_LIMITS, createBudget, defaultCensor } from "./serialize-budget.js";

const valueLimits = { ...CONSOLE_VALUE_LIMITS, ms: 5_000 };
const text = (value: unknown): string =>
  serialize(value, createBudget({ censor: defaultCensor, valueLimits }));
const read = (value: unknown): ConsoleArgument => consoleArgumentSchema.parse(JSON.parse(text(value)));

describe("serialize", () => {
  it("writes primitives with their types, including those that JSON does not have", () => {
    expect(read("hi")).toEqual({ type: "string", value: "hi" });
    expect(read(1.5)).toEqual({ type: "number", value: 1.5 });
    expect(read(Number.NaN)).toEqual({ type: "number", value: "NaN" });
    expect(read(-Infinity)).toEqual({ type: "number", value: "-Infinity" });
    expect(read(-0)).toEqual({ type: "number", value: "-0" });
    expect(read(12n)).toEqual({ type: "number", value: "12n" });
    expect(read(true)).toEqual({ type: "boolean", value: true });
    expect(read(null)).toEqual({ type: "null" });
    expect(read(undefined)).toEqual({ type: "undefined" });
    expect(read(Symbol("s"))).toEqual({ type: "object", className: "Symbol", value: "Symbol(s)" });
  });

  it("names classes and functions", () => {
    class Cart {
      items = 2;
    }
    expect(read(new Cart())).toEqual({
      type: "object",
      className: "Cart",
      value: { items: { type: "number", value: 2 } },
    });
    expect(read(function add() {})).toEqual({ type: "function", name: "add" });
    expect(read(Object.create(null))).toEqual({ type: "object", value: {} });
  });

  it("writes what prints as one value as text", () => {
    expect(read(new Date(0))).toMatchObject({ className: "Date", value: "1970-01-01T00:00:00.000Z" });
    expect(read(new Date(Number.NaN))).toMatchObject({ value: "Invalid Date" });
    expect(read(/a+/gi)).toMatchObject({ className: "RegExp", value: "/a+/gi" });
    expect(read(new URL("http://a.test/x"))).toMatchObject({ className: "URL", value: "http://a.test/x" });
    expect(read(Object(5))).toMatchObject({ className: "Number", value: "5" });
    expect(read(Promise.resolve())).toMatchObject({ className: "Promise", value: "Promise" });
    expect(read(new ArrayBuffer(8))).toMatchObject({ value: "ArrayBuffer(8)" });
  });

  it("writes maps, sets and typed arrays with what is in them", () => {
    const map = new Map<unknown, unknown>([
      ["a", 1],
      [2, "two"],
      [{}, null],
    ]);
    expect(Object.keys(read(map).value as object)).toEqual(["2", "a", "[Object 3]"]);
    expect(read(map)).toMatchObject({ type: "object", className: "Map" });
    expect(read(new Set([1]))).toEqual({
      type: "array",
      className: "Set",
      value: [{ type: "number", value: 1 }],
    });
    expect(read(new Uint8Array([7]))).toMatchObject({ type: "array", className: "Uint8Array" });
  });

  it("writes errors with name, stack and their cause", () => {
    const error = read(new TypeError("no", { cause: new Error("why") }));
    expect(error).toMatchObject({ type: "error", className: "TypeError", value: "TypeError: no" });
    expect(error).toMatchObject({
      stack: expect.stringContaining("serialize.test.ts"),
      cause: { value: "Error: why" },
    });
    const both = new AggregateError([new Error("one")], "all");
    expect(read(both)).toMatchObject({ cause: { type: "array", value: [{ value: "Error: one" }] } });
  });

  it("marks cycles, and only cycles", () => {
    const shared = { x: 1 };
    const value: Record<string, unknown> = { a: shared, b: shared };
    value.self = value;
    expect(read(value)).toMatchObject({
      value: { a: { type: "object" }, b: { type: "object" }, self: { type: "circular" } },
    });
  });

  it("cuts what exceeds the limits, and marks it", () => {
    expect(read("x".repeat(20_000)).value).toMatch(/^x{10240}… \[9760 more characters\]$/);
    const wide = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`k${i}`, i]));
    const object = read(wide) as { value: object; omitted: number };
    expect([Object.keys(object.value).length, object.omitted]).toEqual([1_000, 500]);
    const array = read(Array.from({ length: 1_200 }, (_, i) => i)) as { value: unknown[]; omitted: number };
    expect([array.value.length, array.omitted]).toEqual([1_000, 200]);
    let deep: unknown = "bottom";
    for (let i = 0; i < 30; i++) deep = { deep };
    expect(text(deep)).toContain('"value":"[Object]"');
    expect(findArgumentExcess(read(deep))).toBeUndefined();
  });

  it("calls no getter, no toJSON, no toString", () => {
    const calls: string[] = [];
    const hostile = {
      get lazy() {
        calls.push("getter");
        return 1;
      },
      toJSON: () => calls.push("toJSON"),
      toString: () => calls.push("toString"),
      [Symbol.toPrimitive]: () => calls.push("toPrimitive"),
    };
    expect(read(hostile)).toMatchObject({ value: { lazy: { type: "object", value: "(getter)" } } });
    expect(calls).toEqual([]);
  });

  it("survives proxies that throw, fakes of built-ins and endless objects", () => {
    const thrower = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error("no");
        },
      },
    );
    expect(read(thrower)).toEqual({ type: "object", value: "(cannot be read)" });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(read(proxy).type).toBe("object");
    expect(read(Object.create(Map.prototype))).toMatchObject({ type: "object", className: "Map" });
    const endless: unknown = new Proxy(
      {},
      {
        ownKeys: () => ["next"],
        getOwnPropertyDescriptor: () => ({ value: endless, enumerable: true, configurable: true }),
      },
    );
    expect(read(endless)).toMatchObject({ value: { next: { type: "circular" } } });
  });

  it("masks values by name", () => {
    expect(text({ password: "hunter2", apiKey: "k", maxTokens: 5 })).not.toMatch(/hunter2|"k"/);
    expect(read({ password: "hunter2" })).toMatchObject({ value: { password: { value: MASK } } });
    expect(text("Authorization: Bearer abcdefgh12345678")).not.toContain("abcdefgh");
    expect(text('{"token":"abcdef"} and pwd=secret1')).not.toMatch(/abcdef|secret1/);
    expect(read("the tokens are counted")).toEqual({ type: "string", value: "the tokens are counted" });
  });

  it("stays within its budget for any value", () => {
    const long = Array.from({ length: 100 }, () => "y".repeat(10_000));
    expect(text(long).length).toBeLessThan(120_000);
  });

  it("[CON-082] writes a large object and one with cycles faster than JSON.stringify writes the large one", () => {
    const rows: unknown[] = Array.from({ length: 100_000 }, (_, id) => ({
      id,
      name: `Item ${id}`,
      tags: ["a", "b"],
    }));
    const limit = shortestTime(() => JSON.stringify(rows));
    rows.push(rows);
    const ring: { next?: unknown }[] = Array.from({ length: 1_000 }, () => ({}));
    for (const [index, item] of ring.entries()) item.next = ring[(index + 1) % ring.length];
    for (const value of [rows, ring]) {
      expect(shortestTime(() => serialize(value, createBudget({ censor: defaultCensor })))).toBeLessThan(
        limit,
      );
    }
  });

  it("returns a valid argument for any value, and never throws", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withObjectString: true,
          withSet: true,
          withSparseArray: true,
          withTypedArray: true,
          withBoxedValues: true,
          maxDepth: 12,
        }),
        (value) => {
          const argument = consoleArgumentSchema.parse(JSON.parse(text(value)));
          expect(findArgumentExcess(argument)).toBeUndefined();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("returns every string that is short enough", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 200 }), (codes) => {
        const any = String.fromCharCode(...codes);
        // Without the signs after which a secret could be.
        const value = any.replace(/[:=]|bearer|basic/gi, "");
        expect(JSON.parse(text(value)).value).toBe(value);
      }),
    );
  });
});

/** The shortest of 20 runs in milliseconds, of this process alone, so that a busy machine does not count. */
function shortestTime(run: () => unknown): number {
  return Math.min(
    ...Array.from({ length: 20 }, () => {
      const started = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1_000;
    }),
  );
}
