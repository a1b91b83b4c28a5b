import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../fixtures.js";
import { pairingKeyOf } from "../../support/chrome/pairing.js";

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

/** The parts of `config.json` that a test may want to be different; `pairingKey: undefined` leaves it unpaired. */
export interface CopyOptions {
  readonly pairingKey?: string | undefined;
  readonly share?: "chosen" | "all";
  readonly otherHubs?: readonly object[];
}

/**
 * Copies the built extension into a folder, configured for these addresses and paired with the hub there. It uses them
 * from its first moment, so that a test never connects to a hub that a developer runs on the default ports. Agents may
 * use all tabs, unless the test wants otherwise.
 */
export function copyExtension(folder: string, urls: HubUrls, options: CopyOptions = {}): void {
  cpSync(join(ROOT, "packages/extension/dist/unpacked"), folder, { recursive: true });
  const pairingKey = pairingKeyOf(urls.relayUrl ?? urls.consoleUrl);
  const config = { hub: hubSetting(urls), pairingKey, share: "all", ...options };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
}
