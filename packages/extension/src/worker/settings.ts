/// <reference types="chrome" />

const DEFAULT_ADDRESS = "ws://127.0.0.1:9223";

/** What the person chose; it outlives the browser. */
export interface Settings {
  readonly hubAddress: string;
  /** Match patterns of sites beside those of this machine. */
  readonly sites: readonly string[];
}

export async function readSettings(): Promise<Settings> {
  const stored = await chrome.storage.local.get(["hubAddress", "sites"]);
  return {
    hubAddress: typeof stored.hubAddress === "string" ? stored.hubAddress : DEFAULT_ADDRESS,
    sites: Array.isArray(stored.sites) ? stored.sites.filter((site) => typeof site === "string") : [],
  };
}

/** What is wrong with an address that a person typed, or `undefined` when it is fine. */
export function addressProblem(address: string): string | undefined {
  let parsed: URL;
  try {
    parsed = new URL(address);
  } catch {
    return `"${address}" is no address; it looks like ${DEFAULT_ADDRESS}`;
  }
  if (parsed.protocol !== "ws:" && parsed.protocol !== "wss:")
    return `an address begins with ws:// or wss://, not ${parsed.protocol}//`;
  return undefined;
}
