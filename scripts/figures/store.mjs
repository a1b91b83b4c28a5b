/**
 * The figures that benchmarks measured, one file for each benchmark: bench/figures/hub/memory.jsonl. The first line says when
 * and on which machine, the others are what the benchmark printed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { filesBelow } from "../lib/packages.mjs";

const FOLDER = "bench/figures";

/**
 * @typedef {{ name: string, value: number, unit: string, limit?: number, ok: boolean, better?: "higher", note?: string }} Figure
 * @typedef {{ name: string, points: [number, number][], exponent?: number }} Line
 * @typedef {{ series: string, x: string, y: string, scale: "log" | "linear", lines: Line[], note?: string }} Series
 * @typedef {{ bench: string, date: string, seconds: number, load: number, busy?: true, speed: number, machine: Record<string, string> }} Head
 * @typedef {Head & { figures: Figure[], series: Series[] }} Result
 */

/** @returns {Result} */
function parseResult(text) {
  const [head, ...rest] = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    ...head,
    figures: rest.filter(({ name }) => name !== undefined),
    series: rest.filter(({ series }) => series !== undefined),
  };
}

/** @param {Result} result */
function formatResult({ figures, series, ...head }) {
  return [head, ...figures, ...series].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** All stored results, in the order of their names. */
export function readResults(root) {
  const folder = join(root, FOLDER);
  return filesBelow(folder, (path) => path.endsWith(".jsonl"))
    .sort()
    .map((path) => parseResult(readFileSync(path, "utf8")));
}

/** @param {Result} result */
export function storeResult(root, result) {
  const path = join(root, FOLDER, `${result.bench}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, formatResult(result));
}

/** The name of a benchmark: `hub/memory` for bench/hub/memory.bench.mjs. */
export function benchName(root, file) {
  return relative(join(root, "bench"), file)
    .replaceAll(sep, "/")
    .replace(/\.bench\.mjs$/, "");
}

/** What stands for a benchmark that was never run. */
export const unmeasured = (bench) => ({ bench, figures: [], series: [], isUnmeasured: true });

/** A figure by the name of its benchmark and its own; one that does not exist is an error, unless its benchmark was never run. */
export function findFigure(results, bench, name) {
  const result = results.find((one) => one.bench === bench);
  if (result?.isUnmeasured) return { name, value: Number.NaN, unit: "", ok: true };
  const figure = result?.figures.find((one) => one.name === name);
  if (!figure) throw new Error(`no figure "${name}" of ${bench} is stored; run npm run bench -- ${bench}`);
  return figure;
}

/** A value with its unit, as people write it. */
export function valueText({ value, unit }) {
  if (Number.isNaN(value)) return "not measured yet";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString("en", { maximumFractionDigits: digits });
  return unit === "" ? text : `${text} ${unit}`;
}
