import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../fixtures.js";

/** A port that Chrome refuses to connect to, for a wire that a test does not need. */
const BLOCKED_PORT = 1;

export interface HubUrls {
  readonly consoleUrl?: string | undefined;
  readonly relayUrl?: string | undefined;
}

/** The setting `hub` of the extension for these addresses. A wire without an address reaches nobody. */
export function hubSetting({ consoleUrl, relayUrl }: HubUrls): object {
  const portOf = (url: string | undefined): number => (url ? Number(new URL(url).port) : BLOCKED_PORT);
  return { address: "ws://127.0.0.1", consolePort: portOf(consoleUrl), relayPort: portOf(relayUrl) };
}

/**
 * Copies the built extension into a folder, configured for these addresses. It uses them from its first moment, so that
 * a test never connects to a hub that a developer runs on the default ports.
 */
export function copyExtension(folder: string, urls: HubUrls): void {
  cpSync(join(ROOT, "packages/extension/dist/unpacked"), folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ hub: hubSetting(urls), share: "all" }));
}
