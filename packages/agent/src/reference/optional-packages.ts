import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";

type IsInstalled = (name: string) => boolean;

const require = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  // Not every package exports its manifest, so that `require.resolve` would not find it.
  const folders = require.resolve.paths(name) ?? [];
  return folders.some((folder) => existsSync(join(folder, name, "package.json")));
}

/**
 * Throws unless these optional packages are installed. They are large, and few runs need any of them, so that nobody
 * gets them without asking.
 */
export function requirePackages(
  what: string,
  names: readonly string[],
  installed: IsInstalled = isInstalled,
): void {
  const missing = names.filter((name) => !installed(name));
  if (missing.length === 0) return;
  throw new BridgeError(
    "not_supported",
    `${what} needs ${missing.length === 1 ? "a package that is" : "packages that are"} not installed; run: npm install ${missing.join(" ")}`,
  );
}
