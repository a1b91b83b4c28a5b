/// <reference types="chrome" />
import { isPairingHex } from "@debug-bridge/protocol";
import { type HubAddress, readHubAddress, readOtherHubs } from "./address.js";

/** What this copy of the extension was installed with: `config.json` in its folder. */
export interface ExtensionConfig {
  readonly hub: HubAddress;
  /** Fallback hubs, used when the connection to that one is lost. */
  readonly otherHubs: readonly HubAddress[];
  /** The key that it shares with the hubs of a home; a copy from elsewhere has none until it is paired. */
  readonly pairingKey?: string;
  /** Which tabs agents may use before the person chose anything. */
  readonly share: "chosen" | "all";
}

/** Reads a configuration of any shape. Parts that are missing or wrong have their defaults. */
export function parseConfig(value: unknown): ExtensionConfig {
  const { hub, otherHubs, pairingKey, share } = Object(value) as Record<string, unknown>;
  return {
    hub: readHubAddress(hub),
    otherHubs: readOtherHubs(otherHubs),
    ...(isPairingHex(pairingKey) ? { pairingKey } : {}),
    share: share === "all" ? "all" : "chosen",
  };
}

/** Reads the file as it is now: `debug-bridge extension` may have written it again. */
export async function readConfig(): Promise<ExtensionConfig> {
  try {
    const response = await fetch(chrome.runtime.getURL("config.json"), { cache: "no-store" });
    return parseConfig(await response.json());
  } catch {
    return parseConfig({});
  }
}
