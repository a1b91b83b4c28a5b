import fc from "fast-check";
import { expect, test } from "vitest";
import { describeError, toData, toResultText } from "./app-data.js";
import { serializeArguments } from "./inert/serialize/console-arguments.js";
import { plainText } from "./inert/serialize/plain-data.js";
import { reactiveTarget } from "./inert/serialize/reactive.js";
import { defaultCensor } from "./inert/serialize/serialize-budget.js";

/** The text of a printed value, as `console` telemetry carries it. */
const printed = (value: unknown): string =>
  plainText(JSON.parse(serializeArguments([value], { censor: defaultCensor, targetOf: reactiveTarget }))[0]);

test("JSON data stays unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(JSON.stringify(toData(value))).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
    }),
  );
});

test("any value becomes text and data without throwing", () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      (value) => {
        expect(typeof toResultText(value)).toBe("string");
        expect(typeof printed(value)).toBe("string");
        expect(typeof JSON.stringify(toData(value) ?? null)).toBe("string");
      },
    ),
  );
});

test("cycles, depth, count and length are bounded", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(toData(cycle)).toEqual({ self: "[Circular]" });
  const shared = { x: 1 };
  expect(toData([shared, shared])).toEqual([{ x: 1 }, { x: 1 }]);
  let deep: unknown = 1;
  for (let i = 0; i < 100; i++) deep = [deep];
  expect(JSON.stringify(toData(deep)).length).toBeLessThan(100);
  expect(JSON.stringify(toData(Array.from({ length: 100_000 }, () => 1))).length).toBeLessThan(50_000);
  expect(printed("y".repeat(20_000))).toMatch(/more characters\]$/);
});

test("what a censor hides is hidden by key and in text", () => {
  const censor = {
    hides: (key: string) => key === "pin",
    fit: (text: string, most: number) => text.replace("1234", "#").slice(0, most),
  };
  expect(toData({ pin: 1, list: ["a 1234"], map: new Map([["pin", 2]]) }, censor)).toEqual({
    pin: "•••",
    list: ["a #"],
    map: { pin: "•••" },
  });
});

test("text is made without running code of the app", () => {
  let ran = 0;
  class Model {
    plain = 1;
    get derived(): number {
      ran++;
      return 2;
    }
    get nodeType(): number {
      ran++;
      return 1;
    }
    get window(): unknown {
      ran++;
      return this;
    }
    toJSON(): object {
      ran++;
      return {};
    }
  }
  const own = {
    get price(): number {
      ran++;
      return 1;
    },
    toJSON: () => ran++,
    list: [new Model()],
  };
  expect(printed(own)).toBe('{"price":"(getter)","toJSON":"[Function toJSON]","list":[{"plain":1}]}');
  expect(ran).toBe(0);
  expect(printed(new URL("http://a.b/c"))).toBe("http://a.b/c");
});

test("a reactive proxy is read through its target", () => {
  const touched: PropertyKey[] = [];
  const reactive = (raw: object): object =>
    new Proxy(raw, {
      get: (target, key) => {
        if (key === "__v_raw") return target;
        touched.push(key);
        return Reflect.get(target, key);
      },
      ownKeys: (target) => {
        touched.push("keys");
        return Reflect.ownKeys(target);
      },
    });
  expect(printed(reactive({ a: 1, b: reactive({ c: [2] }) }))).toBe('{"a":1,"b":{"c":[2]}}');
  expect(touched).toEqual([]);
  const administration = Symbol("mobx administration");
  const observable = {
    [administration]: { values_: new Map([["name", { value_: "Ada" }]]) },
    get name(): string {
      touched.push("name");
      return "Ada";
    },
  };
  expect(printed(observable)).toBe('{"name":"Ada"}');
  expect(touched).toEqual([]);
});

test("state is read as the app shows it", () => {
  const state = {
    get total(): number {
      return 3;
    },
    when: { toJSON: () => "now" },
  };
  expect(toData(state)).toEqual({ total: 3, when: "now" });
});

test("every thrown value has a message", () => {
  expect(describeError(new Error("x"))).toBe("x");
  expect(describeError("text")).toBe("text");
  for (const nothing of [undefined, null, {}, new Error("")])
    expect(describeError(nothing)).toBe("unknown_error");
});
