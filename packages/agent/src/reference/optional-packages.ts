import { createRequire } from "node:module";
import { BridgeError } from "@debug-bridge/protocol";

type IsInstalled = (name: string) => boolean;

const require = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Throws unless these optional packages are installed. The AI SDK and its providers are large, and a run needs one
 * provider at most, so that nobody gets them without asking.
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
