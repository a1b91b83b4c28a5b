import type { ConsoleArgument } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { stripStyles, styleFor, visibleLength } from "./style.js";
import { formatTable } from "./table.js";
import { cut, formatValue } from "./value.js";

const plain = styleFor({ isTTY: false }, {});
const coloured = styleFor({ isTTY: true, columns: 80 }, {});
const number = (value: number): ConsoleArgument => ({ type: "number", value });
const text = (value: string): ConsoleArgument => ({ type: "string", value });
const object = (value: Record<string, ConsoleArgument>, className?: string): ConsoleArgument => ({
  type: "object",
  value,
  ...(className ? { className } : {}),
});

describe("values in the terminal", () => {
  it.each<[ConsoleArgument, string]>([
    [text("as it is"), "as it is"],
    [number(42), "42"],
    [{ type: "number", value: "12n" }, "12n"],
    [{ type: "null" }, "null"],
    [{ type: "undefined" }, "undefined"],
    [{ type: "function", name: "save" }, "ƒ save()"],
    [{ type: "dom", tagName: "BUTTON" }, "<button>"],
    [{ type: "circular" }, "[Circular]"],
    [object({}), "{}"],
    [object({ id: number(1), name: text("Ann") }), '{id: 1, name: "Ann"}'],
    [object({ size: number(2) }, "Map"), "Map {size: 2}"],
    [{ type: "array", value: [number(1), number(2)], omitted: 5 }, "[1, 2, … 5 more]"],
    [{ type: "object", className: "Date", value: "2026-01-23" }, "2026-01-23"],
  ])("%j is %s", (argument, shown) => {
    expect(formatValue(argument, plain, 80)).toBe(shown);
    expect(stripStyles(formatValue(argument, coloured, 80))).toBe(shown);
  });

  it("breaks an object over lines when it does not fit", () => {
    const long = object({ first: text("x".repeat(60)), second: text("y".repeat(60)) });
    expect(formatValue(long, plain, 80).split("\n")).toHaveLength(4);
  });

  it("cuts texts inside an object to the terminal, and leaves them whole elsewhere", () => {
    const long = object({
      text: text("x".repeat(500)),
      day: { type: "object", className: "Date", value: "d".repeat(500) },
    });
    for (const line of stripStyles(formatValue(long, coloured, 60)).split("\n"))
      expect(line.length).toBeLessThanOrEqual(60);
    expect(formatValue(long, plain, Number.POSITIVE_INFINITY)).toContain("x".repeat(500));
  });

  it("does not cut a character in half", () => {
    expect(cut("ab😀", 4)).toBe("ab😀");
    expect(cut("ab😀cd", 4)).toBe("ab…");
  });

  it("prints an error with its frames and its cause", () => {
    const error: ConsoleArgument = {
      type: "error",
      value: "Error: outer",
      stack: "Error: outer\n    at a (b.js:1:2)",
      cause: { type: "error", value: "Error: inner" },
    };
    expect(formatValue(error, plain, 80)).toBe("Error: outer\n    at a (b.js:1:2)\nCaused by: Error: inner");
  });

  it("leaves out columns of a table that do not fit", () => {
    const row = object(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`column${i}`, number(i)])));
    const table = formatTable({ type: "array", value: [row] }, 60) as string;
    for (const line of table.split("\n")) expect(visibleLength(line)).toBeLessThanOrEqual(60);
    expect(table).toContain("more columns");
    expect(formatTable(text("no table"), 60)).toBeUndefined();
  });

  it("shows the columns of a table that were asked for, and says which rows it leaves out", () => {
    const rows: ConsoleArgument = {
      type: "array",
      value: Array.from({ length: 150 }, (_, id) => object({ id: number(id), name: text("n") })),
      omitted: 50,
    };
    const table = formatTable(rows, 60, { type: "array", value: [text("name")] }) as string;
    expect(table.split("\n")[1]).toBe("│ (index) │ name │");
    expect(table).toContain("… 100 more rows");
  });

  it("draws straight tables of wide characters", () => {
    const table = formatTable(
      {
        type: "array",
        value: [object({ a: text("日本語"), b: text("👍🏽") }), object({ a: text("x"), b: text("y") })],
      },
      60,
    ) as string;
    const widths = new Set(table.split("\n").map((line) => visibleLength(line)));
    expect(widths.size).toBe(1);
    expect(visibleLength("日本語👍🏽é")).toBe(9);
  });
});
