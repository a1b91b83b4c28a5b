import { argumentText, type ConsoleArgument, ellipsize } from "@debug-bridge/protocol";
import { visibleLength } from "../terminal/style.js";

const MAX_ROWS = 100;
const MAX_CELL = 40;
const INDEX = "(index)";
const VALUE = "Values";

/** `console.table` as rows and columns: those that `wanted` lists, or all. `undefined` when it is not a table. */
export function formatTable(
  argument: ConsoleArgument | undefined,
  width: number,
  wanted?: ConsoleArgument,
): string | undefined {
  if (argument?.type !== "array" && argument?.type !== "object") return undefined;
  if (typeof argument.value === "string") return undefined;
  const all = Object.entries(argument.value);
  const rows = all.slice(0, MAX_ROWS);
  if (rows.length === 0) return undefined;
  const chosen = namesIn(wanted);
  const columns = new Set<string>(chosen);
  const cells = rows.map(([index, row]) => {
    const found = cellsOf(row);
    if (!chosen) for (const key of Object.keys(found)) columns.add(key);
    return { [INDEX]: index, ...found };
  });
  const names = [
    INDEX,
    ...[...columns].filter((name) => name !== VALUE),
    ...(columns.has(VALUE) ? [VALUE] : []),
  ];
  const left = all.length - rows.length + (argument.omitted ?? 0);
  return `${draw(names, cells, width)}${left > 0 ? `\n… ${left} more rows` : ""}`;
}

/** The column names in the second argument of `console.table`. */
function namesIn(wanted: ConsoleArgument | undefined): string[] | undefined {
  if (wanted?.type !== "array" || typeof wanted.value === "string") return undefined;
  return wanted.value.map((name) => argumentText(name));
}

function cellsOf(row: ConsoleArgument): Record<string, string> {
  if ((row.type === "object" || row.type === "array") && typeof row.value === "object") {
    return Object.fromEntries(Object.entries(row.value).map(([key, cell]) => [key, oneLine(cell)]));
  }
  return { [VALUE]: oneLine(row) };
}

const oneLine = (argument: ConsoleArgument): string =>
  ellipsize(argumentText(argument, 1).replace(/\s+/g, " "), MAX_CELL);

function draw(names: string[], rows: Record<string, string>[], width: number): string {
  const wide = names.map((name) =>
    Math.max(visibleLength(name), ...rows.map((row) => visibleLength(row[name] ?? ""))),
  );
  const shown = names.filter((_, i) => wide.slice(0, i + 1).reduce((sum, w) => sum + w + 3, 1) <= width);
  const sizes = wide.slice(0, shown.length);
  const rule = (left: string, middle: string, right: string): string =>
    `${left}${sizes.map((size) => "─".repeat(size + 2)).join(middle)}${right}`;
  const line = (cells: string[]): string =>
    `│${cells.map((cell, i) => ` ${cell}${" ".repeat(Math.max(0, (sizes[i] ?? 0) - visibleLength(cell)))} `).join("│")}│`;
  const hidden = names.length - shown.length;
  return [
    rule("┌", "┬", "┐"),
    line(shown),
    rule("├", "┼", "┤"),
    ...rows.map((row) => line(shown.map((name) => row[name] ?? ""))),
    rule("└", "┴", "┘"),
    ...(hidden > 0 ? [`… ${hidden} more columns`] : []),
  ].join("\n");
}
