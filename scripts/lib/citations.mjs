import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { filesBelow } from "./packages.mjs";
import { root } from "./run.mjs";

const CITATION = /\[((?:APP|RUN|AGT|CON|REL|ARC)-\d{3}[^\]]*)\]/g;
const RANGE = /([A-Z]{3})-(\d{3})(?:…(?:[A-Z]{3}-)?(\d{3}))?/g;

/**
 * The requirement ids that tests cite in their titles, and benches where a figure shows them: `[APP-004]`,
 * `[APP-004, CON-010]` or `[CON-010…028]`. A skipped test cites nothing.
 * @returns {Map<string, string[]>} files by id
 */
export function citations(base = root) {
  /** @type {Map<string, string[]>} */
  const cited = new Map();
  const files = ["packages", "tests", "examples", "bench"].flatMap((dir) =>
    filesBelow(join(base, dir), (path) => /\.(test\.ts|bench\.mjs)$/.test(path)),
  );
  for (const file of files) {
    const path = relative(base, file).split(sep).join("/");
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (/\.(skip|todo)\(/.test(line)) continue;
      for (const [, list] of line.matchAll(CITATION)) {
        for (const id of expand(/** @type {string} */ (list))) {
          cited.set(id, [...new Set([...(cited.get(id) ?? []), path])]);
        }
      }
    }
  }
  return cited;
}

/** @param {string} list */
function expand(list) {
  return [...list.matchAll(RANGE)].flatMap(([, area, first, last]) => {
    const from = Number(first);
    const to = Number(last ?? first);
    return Array.from({ length: to - from + 1 }, (_, i) => `${area}-${String(from + i).padStart(3, "0")}`);
  });
}
