/**
 * Fails unless every package has the version of the tag and depends on exactly that version of the others, and the changelog has
 * an entry for it. Writes that entry to a file, if one is given: `node scripts/check-release.mjs v0.1.0 notes.md`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { packages } from "./lib/packages.mjs";
import { root } from "./lib/run.mjs";

const [tag = "", notesFile] = process.argv.slice(2);
const version = tag.replace(/^v/, "");
const all = packages();
const names = new Set(all.map(({ manifest }) => manifest.name));
const problems = all.flatMap(({ folder, manifest }) => [
  ...(manifest.version === version ? [] : [`packages/${folder} has version ${manifest.version}`]),
  ...Object.entries(manifest.dependencies ?? {})
    .filter(([name, range]) => names.has(name) && range !== version)
    .map(([name, range]) => `packages/${folder} depends on ${name} ${range}`),
]);

const entry = readFileSync(`${root}CHANGELOG.md`, "utf8")
  .split(/^## /m)
  .find((section) => section.startsWith(`${version} `));
if (entry === undefined) problems.push(`CHANGELOG.md has no entry for ${version}`);
else if (notesFile !== undefined) writeFileSync(notesFile, entry.slice(entry.indexOf("\n")).trimStart());

if (problems.length > 0) {
  console.error(`the tag is "${tag}", but:\n  ${problems.join("\n  ")}`);
  process.exit(1);
}
console.log(`${all.length} packages have version ${version}`);
