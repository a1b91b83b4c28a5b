import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** The packages of the workspace, by folder name, with their manifests. */
export function packages(base = root) {
  return readdirSync(join(base, "packages"))
    .filter((folder) => existsSync(join(base, "packages", folder, "package.json")))
    .map((folder) => ({
      folder,
      dir: join(base, "packages", folder),
      manifest: JSON.parse(readFileSync(join(base, "packages", folder, "package.json"), "utf8")),
    }));
}

/** All files below a folder whose path passes `keep`; nothing that is installed or built. */
export function filesBelow(dir, keep = () => true) {
  /** @type {string[]} */
  const found = [];
  if (!existsSync(dir)) return found;
  for (const name of readdirSync(dir).sort()) {
    if (name === "node_modules" || name === "dist" || name === "generated" || name.startsWith(".")) continue;
    const path = join(dir, name);
    if (statSync(path).isDirectory()) found.push(...filesBelow(path, keep));
    else if (keep(path)) found.push(path);
  }
  return found;
}
