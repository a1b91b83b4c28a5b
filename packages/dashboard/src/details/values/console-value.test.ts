import { expect, it } from "vitest";
import { argumentValue } from "./console-value.js";

it("turns arguments of the console into plain values", () => {
  const text = (value: string) => ({ type: "string", value });
  expect(
    argumentValue({ type: "object", className: "Cart", value: { a: text("x"), b: { type: "null" } } }),
  ).toEqual({
    ...{ "(class)": "Cart", a: "x", b: null },
  });
  expect(argumentValue({ type: "array", value: [text("a"), { type: "number", value: 2 }] })).toEqual([
    "a",
    2,
  ]);
  expect(argumentValue({ type: "array", value: [text("a")], omitted: 5 })).toEqual({
    ...{ "0": "a", "…": "5 more were not captured" },
  });
  expect(argumentValue({ type: "error", value: "no", stack: "at x" })).toEqual({
    message: "no",
    stack: "at x",
  });
});

it("makes something of whatever a file holds", () => {
  for (const value of [null, 3, "x", [], {}, { type: "object" }, { type: "array", value: 5 }])
    expect(() => argumentValue(value)).not.toThrow();
});
