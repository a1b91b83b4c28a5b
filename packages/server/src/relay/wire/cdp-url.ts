import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the address for CDP clients, token included, into a file that only its owner can read. Returns a function that removes it. */
export function writeCdpUrl(home: string, url: string): () => void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, "cdp-url");
  rmSync(file, { force: true });
  writeFileSync(file, `${url}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return () => {
    // Another hub may have written its own since.
    if (readCdpUrl(home) === url) rmSync(file, { force: true });
  };
}

/** The address that a running relay wrote into its home, if there is one. */
export function readCdpUrl(home: string): string | undefined {
  try {
    return readFileSync(join(home, "cdp-url"), "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
