import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { resultPages } from "./results.mjs";
import { benchName, findFigure, readResults, storeResult, valueText } from "./store.mjs";

const result = (bench: string, value: number) => ({
  ...{ bench, date: "2026-01-02", seconds: 3, load: 0.5, speed: 1_000, machine: { Node: "20.19" } },
  figures: [{ name: "a figure", value, unit: "ms", limit: 5, ok: value <= 5, note: "one | two" }],
  series: [
    {
      series: "Cost over size",
      x: "size",
      y: "ms",
      scale: "log",
      lines: [{ name: "ours", points: [[1, 2]] }],
    },
  ],
});

it("keeps the figures of each benchmark until it is run again", () => {
  const root = mkdtempSync(join(tmpdir(), "debug-bridge-figures-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  storeResult(root, result("hub/memory", 4));
  storeResult(root, result("page/size", 1));
  storeResult(root, result("hub/memory", 6));
  const results = readResults(root);
  expect(results).toEqual([result("hub/memory", 6), result("page/size", 1)]);
  expect(findFigure(results, "hub/memory", "a figure").value).toBe(6);
  expect(() => findFigure(results, "hub/memory", "another")).toThrow("npm run bench -- hub/memory");
});

it("shows every figure with its limit, and names those that miss it", () => {
  const [[path, page] = [], [plotPath] = []] = resultPages([result("hub/memory", 6)] as never);
  expect([path, plotPath]).toEqual(["bench/RESULTS.md", "bench/plots/cost-over-size.svg"]);
  expect(page).toContain("| a figure | 6 ms **missed** | at most 5 ms | one \\| two |");
  expect(page).toContain("## Missed\n\n| benchmark | figure | measured | limit |");
  expect(page).toContain("![Cost over size](plots/cost-over-size.svg)");
});

it("names benchmarks by their path, and writes values as people do", () => {
  expect(benchName("/root", "/root/bench/hub/memory.bench.mjs")).toBe("hub/memory");
  const texts = [1_234.56, 12.345, 0.123].map((value) => valueText({ value, unit: "ms" }));
  expect(texts).toEqual(["1,235 ms", "12.3 ms", "0.12 ms"]);
  expect(valueText({ value: 0.3, unit: "" })).toBe("0.3");
});
