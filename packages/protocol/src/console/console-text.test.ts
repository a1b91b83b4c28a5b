import { describe, expect, it } from "vitest";
import type { ConsoleArgument } from "../schema/console/argument.js";
import { argumentText, ellipsize, type ValueTextOptions, valueText } from "./console-text.js";

const wide: ValueTextOptions = { maxDepth: 4, maxMembers: 50, room: 80, nestedFrames: true };
const coloured: ValueTextOptions = { ...wide, paint: (part, text) => `<${part}>${text}</${part}>` };
const withoutColours = (text: string): string => text.replaceAll(/<\/?(?!button)\w+>/g, "");
const number = (value: number): ConsoleArgument => ({ type: "number", value });
const text = (value: string): ConsoleArgument => ({ type: "string", value });
const object = (value: Record<string, ConsoleArgument>, className?: string): ConsoleArgument => ({
  type: "object",
  value,
  ...(className ? { className } : {}),
});

describe("values as text", () => {
  it.each<[ConsoleArgument, string]>([
    [text("as it is"), "as it is"],
    [number(42), "42"],
    [{ type: "number", value: "12n" }, "12n"],
    [{ type: "null" }, "null"],
    [{ type: "undefined" }, "undefined"],
    [{ type: "function", name: "save" }, "ƒ save"],
    [{ type: "dom", tagName: "BUTTON" }, "<button>"],
    [{ type: "circular" }, "[Circular]"],
    [object({}), "{}"],
    [object({ id: number(1), name: text("Ann") }), '{id: 1, name: "Ann"}'],
    [object({ size: number(2) }, "Map"), "Map {size: 2}"],
    [{ type: "array", value: [number(1), number(2)], omitted: 5 }, "[1, 2, … 5 more]"],
    [{ type: "object", className: "Date", value: "2026-01-23" }, "2026-01-23"],
  ])("%j is %s", (argument, shown) => {
    expect(argumentText(argument)).toBe(shown);
    expect(valueText(argument, wide)).toBe(shown);
    expect(withoutColours(valueText(argument, coloured))).toBe(shown);
  });

  it("breaks an object over lines when it does not fit", () => {
    const long = object({ first: text("x".repeat(60)), second: text("y".repeat(60)) });
    expect(valueText(long, wide).split("\n")).toHaveLength(4);
  });

  it("cuts texts inside an object to the available width", () => {
    const long = object({
      text: text("x".repeat(500)),
      day: { type: "object", className: "Date", value: "d".repeat(500) },
    });
    for (const line of valueText(long, { ...wide, room: 60 }).split("\n"))
      expect(line.length).toBeLessThanOrEqual(60);
    expect(valueText(long, { ...wide, room: Number.POSITIVE_INFINITY })).toContain("x".repeat(500));
  });

  it("does not cut a character in half", () => {
    expect(ellipsize("ab😀", 4)).toBe("ab😀");
    expect(ellipsize("ab😀cd", 4)).toBe("ab…");
  });

  it("prints an error with its frames and its cause", () => {
    const error: ConsoleArgument = {
      type: "error",
      value: "Error: outer",
      stack: "Error: outer\n    at a (b.js:1:2)",
      cause: { type: "error", value: "Error: inner" },
    };
    expect(valueText(error, wide)).toBe("Error: outer\n    at a (b.js:1:2)\nCaused by: Error: inner");
  });

  it("shows frames of errors inside objects only on request", () => {
    const error: ConsoleArgument = {
      type: "error",
      value: "Error: x",
      stack: "Error: x\n    at a (b.js:1:2)",
    };
    const holder = object({ error });
    expect(argumentText(error)).toBe("Error: x\n    at a (b.js:1:2)");
    expect(argumentText(holder)).toBe("{error: Error: x}");
    expect(valueText(holder, wide)).toContain("at a (b.js:1:2)");
  });

  it("stops at its depth and counts what it leaves out", () => {
    let deep: ConsoleArgument = number(1);
    for (let i = 0; i < 6; i++) deep = { type: "array", value: [deep] };
    expect(argumentText(deep)).toBe("[[[Array(1)]]]");
    const many: ConsoleArgument = { type: "array", value: Array.from({ length: 30 }, () => number(1)) };
    expect(argumentText(many)).toContain("… 10 more]");
  });
});
