/** Every page that shows figures, as it has to be. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../lib/packages.mjs";
import { fillBlocks } from "./blocks.mjs";
import { resultPages } from "./results.mjs";
import { scaleTables } from "./scale.mjs";
import { benchName, readResults, unmeasured } from "./store.mjs";

const PAGES_WITH_FIGURES = ["README.md", "docs/performance.md", "docs/scale.md"];

/** @returns {[path: string, text: string][]} */
export function figurePages(root) {
  const stored = readResults(root);
  const benches = filesBelow(join(root, "bench"), (path) => path.endsWith(".bench.mjs"));
  const missing = benches
    .map((path) => benchName(root, path))
    .filter((name) => !stored.some(({ bench }) => bench === name));
  const results = [...stored, ...missing.map(unmeasured)];
  const computed = scaleTables(results);
  return [
    ...resultPages(results),
    ...PAGES_WITH_FIGURES.map((path) => [
      path,
      fillBlocks(readFileSync(join(root, path), "utf8"), results, computed),
    ]),
  ];
}
