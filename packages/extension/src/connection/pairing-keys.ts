/// <reference types="chrome" />
import { importPairingKey, isPairingHex } from "@debug-bridge/protocol";
import { readConfig } from "./config.js";

/** Where a key that was agreed on by a code is stored. It wins over the one in `config.json`. */
const KEY = "pairingKey";

/** The key as it is now; undefined when this copy is not paired. */
export async function readPairingHex(): Promise<string | undefined> {
  const { [KEY]: stored } = await chrome.storage.local.get(KEY);
  return isPairingHex(stored) ? stored : (await readConfig()).pairingKey;
}

/** The key that this extension shares with the person's hub. */
export class PairingKeys {
  private current: CryptoKey | undefined;
  private hex: string | undefined;
  private isLoaded = false;
  readonly loaded: Promise<void>;

  /** `onChange` is called when another key is in force. */
  constructor(private readonly onChange: () => void) {
    // Content scripts run in pages: they have no business here.
    void chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
    chrome.storage.onChanged.addListener((changes, area) => {
      if (area === "local" && changes[KEY]) void this.reload();
    });
    this.loaded = this.reload().then(() => {
      this.isLoaded = true;
    });
  }

  get key(): CryptoKey | undefined {
    return this.current;
  }

  /** Reads the key again: one may have been stored, or the extension's folder written again. */
  async reload(): Promise<void> {
    const hex = await readPairingHex();
    if (hex === this.hex) return;
    this.hex = hex;
    this.current = hex === undefined ? undefined : await importPairingKey(hex);
    if (this.isLoaded) this.onChange();
  }

  /** Stores a key that was agreed on by a code. */
  async store(hex: string): Promise<void> {
    await chrome.storage.local.set({ [KEY]: hex });
  }
}
