import type { ConsoleArgument } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { visibleLength } from "../terminal/style.js";
import { formatTable } from "./table.js";

const number = (value: number): ConsoleArgument => ({ type: "number", value });
const text = (value: string): ConsoleArgument => ({ type: "string", value });
const object = (value: Record<string, ConsoleArgument>): ConsoleArgument => ({ type: "object", value });

describe("console.table in the terminal", () => {
  it("leaves out columns of a table that do not fit", () => {
    const row = object(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`column${i}`, number(i)])));
    const table = formatTable({ type: "array", value: [row] }, 60) as string;
    for (const line of table.split("\n")) expect(visibleLength(line)).toBeLessThanOrEqual(60);
    expect(table).toContain("more columns");
    expect(formatTable(text("no table"), 60)).toBeUndefined();
  });

  it("shows the requested columns of a table, and reports which rows it leaves out", () => {
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
