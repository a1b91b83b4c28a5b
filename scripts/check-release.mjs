/**
 * Fails unless every package has the version of the tag and depends on exactly that version of the others.
 * `node scripts/check-release.mjs v0.1.0`
 */
import { packages } from "./lib/packages.mjs";

const tag = process.argv[2] ?? "";
const version = tag.replace(/^v/, "");
const all = packages();
const names = new Set(all.map(({ manifest }) => manifest.name));
const problems = all.flatMap(({ folder, manifest }) => [
  ...(manifest.version === version ? [] : [`packages/${folder} has version ${manifest.version}`]),
  ...Object.entries(manifest.dependencies ?? {})
    .filter(([name, range]) => names.has(name) && range !== version)
    .map(([name, range]) => `packages/${folder} depends on ${name} ${range}`),
]);

if (problems.length > 0) {
  console.error(`the tag is "${tag}", but:\n  ${problems.join("\n  ")}`);
  process.exit(1);
}
console.log(`${all.length} packages have version ${version}`);
