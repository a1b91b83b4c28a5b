import { describe, expect, it } from "vitest";
import { describedArgument, headlineOf, stackText, toArgument } from "./remote-object.js";

describe("toArgument", () => {
  it.each([
    [
      { type: "string", value: "a" },
      { type: "string", value: "a" },
    ],
    [
      { type: "number", value: 1.5 },
      { type: "number", value: 1.5 },
    ],
    [
      { type: "number", unserializableValue: "-0" },
      { type: "number", value: "-0" },
    ],
    [
      { type: "bigint", unserializableValue: "10n" },
      { type: "number", value: "10n" },
    ],
    [{ type: "undefined" }, { type: "undefined" }],
    [{ type: "object", subtype: "null", value: null }, { type: "null" }],
    [
      { type: "symbol", description: "Symbol(s)" },
      { type: "object", className: "Symbol", value: "Symbol(s)" },
    ],
    [{ type: "object", objectId: "1" }, undefined],
  ])("reads %j without asking the page", (remote, argument) => {
    expect(toArgument(remote)).toEqual(argument);
  });
});

describe("describedArgument", () => {
  it("keeps the type of what only the browser described", () => {
    const description = "TypeError: no\n    at f (http://a.test/a.js:1:2)";
    expect(
      describedArgument({ type: "object", subtype: "error", className: "TypeError", description }),
    ).toEqual({ type: "error", className: "TypeError", value: "TypeError: no", stack: description });
    expect(describedArgument({ type: "object", className: "Cart", description: "Cart" })).toEqual({
      type: "object",
      className: "Cart",
      value: "Cart",
    });
    expect(describedArgument({ type: "object", subtype: "array", description: "Array(2)" })).toEqual({
      type: "array",
      value: "Array(2)",
    });
  });
});

it("a stack is written as a browser writes it", () => {
  const callFrames = [{ functionName: "f", url: "http://a.test/a.js", lineNumber: 0, columnNumber: 1 }];
  expect(stackText("Error: x", { callFrames })).toBe("Error: x\n    at f (http://a.test/a.js:1:2)");
  expect(stackText("Error: x", { callFrames: [] })).toBeUndefined();
  expect(headlineOf("Error: x\nmore\n    at f")).toBe("Error: x\nmore");
});
