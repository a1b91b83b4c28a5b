import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../fixtures.js";

/**
 * A program of the registry that is too large to be installed with the project. It is installed once, into the cache.
 * Returns the folder of its commands.
 */
export async function installedClient(name: string, version: string): Promise<string> {
  const folder = join(ROOT, ".cache", "clients", `${name.replace("/", "-")}-${version}`);
  const done = join(folder, "installed");
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", `${name}@${version}`], {
      cwd: folder,
    });
    writeFileSync(done, "");
  }
  return join(folder, "node_modules", ".bin");
}
