/**
 * `npm run gen` writes docs/generated, the table of docs/reliability.md, the publishing fields of every package,
 * bench/RESULTS.md, and the figures in pages; `--check` fails when that would change a file.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { figurePages } from "./figures/pages.mjs";
import { jsonSchemas } from "./gen/json-schemas.mjs";
import { packageMetadata } from "./gen/package-metadata.mjs";
import { reliabilityTable } from "./gen/reliability-table.mjs";
import { requirementsPage } from "./gen/requirements-page.mjs";
import { filesBelow } from "./lib/packages.mjs";
import { root } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const OUT = join(root, "docs/generated");
const checking = process.argv.includes("--check");

if (!checking) await setUp();

/** @type {Map<string, string>} */
const wanted = new Map([
  ...[...(await jsonSchemas()), ...(await requirementsPage())].map(([name, text]) => [join(OUT, name), text]),
  ...[...packageMetadata(), ...reliabilityTable(), ...figurePages(root)].map(([name, text]) => [
    join(root, name),
    text,
  ]),
]);
const stale = [];

for (const [path, text] of wanted) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  stale.push(relative(root, path));
  if (checking) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const path of [OUT, join(root, "bench/plots")].flatMap((folder) => filesBelow(folder))) {
  if (wanted.has(path)) continue;
  stale.push(`${relative(root, path)} (no longer generated)`);
  if (!checking) rmSync(path);
}

if (checking && stale.length > 0) {
  console.error(`stale generated files; run npm run gen and commit:\n  ${stale.join("\n  ")}`);
  process.exit(1);
}
console.log(checking ? "generated files are up to date" : `wrote ${stale.length} files`);
