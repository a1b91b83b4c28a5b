import { exponent } from "./exponent.mjs";

/**
 * Prints one series: values over sizes, a line for each subject. On logarithmic axes each line gets the exponent that fits it, unless
 * it brings one.
 * @param {{ name: string, x: string, y: string, lines: Record<string, [number, number][]>, scale?: "log" | "linear",
 *   exponents?: Record<string, number>, note?: string }} series
 */
export function series({ name, x, y, lines, scale = "log", exponents = {}, note }) {
  const fitted = Object.entries(lines).map(([line, points]) => ({
    name: line,
    points: points.map((point) => point.map((value) => Math.round(value * 1_000) / 1_000)),
    exponent: rounded(exponents[line] ?? (scale === "log" ? slope(points) : undefined)),
  }));
  console.log(JSON.stringify({ series: name, x, y, scale, lines: fitted, note }));
}

const slope = (points) =>
  exponent(
    points.map(([size]) => size),
    points.map(([, cost]) => cost),
  );
const rounded = (value) => (value === undefined ? undefined : Math.round(value * 100) / 100);
