import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "./packages.mjs";
import { run } from "./run.mjs";

/**
 * Packs every package as `npm publish` would, into a folder.
 * @param {string} folder
 * @returns {Promise<{ name: string, file: string, files: string[] }[]>}
 */
export async function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const names = packages().map(({ manifest }) => manifest.name);
  const { code, stdout, output } = await run(
    "npm",
    ["pack", "--json", "--pack-destination", folder, ...names.flatMap((name) => ["--workspace", name])],
    { quiet: true },
  );
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  // Scripts of packages may print before the list.
  const list = JSON.parse(stdout.slice(stdout.indexOf("[")));
  return list.map(({ name, filename, files }) => ({
    name,
    file: join(folder, filename),
    files: files.map(({ path }) => path),
  }));
}

/**
 * Installs tarballs into an empty folder and measures what npm puts there.
 * @param {string} folder
 * @param {readonly string[]} tarballs
 * @returns {Promise<{ packages: string[], bytes: number }>}
 */
export async function installInto(folder, tarballs) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const { code, output } = await run(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--loglevel=error",
      "--engine-strict",
      ...tarballs,
    ],
    { cwd: folder, quiet: true },
  );
  if (code !== 0) throw new Error(`npm install failed:\n${output}`);
  const lock = JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"));
  return { packages: Object.keys(lock.packages).sort(), bytes: bytesBelow(join(folder, "node_modules")) };
}

function bytesBelow(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.isFile() ? stats.size : 0;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}
