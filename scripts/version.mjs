/**
 * `npm run version`: turns the files in .changeset into the next version of all packages, which share one, and moves
 * what Changesets writes into a changelog for each package to the top of the one in the root.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { packages } from "./lib/packages.mjs";
import { bin, root, run } from "./lib/run.mjs";

const KINDS = ["Major", "Minor", "Patch"];
const MARK = "## ";

const { code } = await run(bin("changeset"), ["version"], { cwd: root });
if (code !== 0) process.exit(code);

const entries = new Map(KINDS.map((kind) => [kind, new Set()]));
for (const { folder } of packages()) {
  const file = `${root}packages/${folder}/CHANGELOG.md`;
  if (!existsSync(file)) continue;
  const [, newest = ""] = readFileSync(file, "utf8").split(`\n${MARK}`);
  for (const kind of KINDS) {
    const [, text = ""] = newest.split(`### ${kind} Changes\n`);
    const [lines = ""] = text.split("\n### ");
    for (const entry of lines.split(/\n(?=- )/)) if (entry.trim()) entries.get(kind).add(entry.trim());
  }
  rmSync(file);
}
const [{ manifest }] = packages();
const sections = KINDS.filter((kind) => entries.get(kind).size > 0).map(
  (kind) => `### ${kind} changes\n\n${[...entries.get(kind)].join("\n")}\n`,
);
if (sections.length > 0) {
  const changelog = `${root}CHANGELOG.md`;
  const text = readFileSync(changelog, "utf8");
  const at = text.indexOf(`\n${MARK}`) + 1;
  const date = new Date().toISOString().slice(0, 10);
  const entry = `${MARK}${manifest.version} (${date})\n\n${sections.join("\n")}\n`;
  writeFileSync(changelog, text.slice(0, at) + entry + text.slice(at));
}
const locked = await run("npm", ["install", "--package-lock-only", "--ignore-scripts"], { cwd: root });
process.exit(locked.code);
