import { type FSWatcher, unwatchFile, watch, watchFile } from "node:fs";
import { join } from "node:path";
import { loadPairingKey, loadToken, pairingKey, tokenOf } from "@debug-bridge/client/files";

export interface SecretListeners {
  onToken(): void;
  onPairingKey(): void;
}

/** For a file system that cannot be watched. */
const POLL_MS = 1_000;

/**
 * The token and the pairing key of a home. When another one is written to its file, it replaces the old one at once; the
 * listener then ends what was opened with the old one. A file that is removed or holds something else changes nothing.
 */
export class Secrets {
  readonly tokenFile: string;
  private currentToken: string;
  private currentKey: string;
  private listeners: SecretListeners | undefined;
  private stop: () => void = () => {};

  constructor(private readonly home: string) {
    const { token, tokenFile } = loadToken(home);
    this.currentToken = token;
    this.tokenFile = tokenFile;
    this.currentKey = loadPairingKey(home);
  }

  get token(): string {
    return this.currentToken;
  }

  get pairingKey(): string {
    return this.currentKey;
  }

  /** Follows the files from now on. */
  follow(listeners: SecretListeners): void {
    this.listeners = listeners;
    let watcher: FSWatcher;
    try {
      watcher = watch(this.home, { persistent: false }, (_event, name) => {
        if (name === null || name === "token" || name === "pairing-key") this.reload();
      });
    } catch {
      this.poll();
      return;
    }
    watcher.on("error", () => {
      watcher.close();
      this.poll();
    });
    this.stop = () => watcher.close();
    // What was written between reading and watching.
    this.reload();
  }

  close(): void {
    this.listeners = undefined;
    this.stop();
  }

  private poll(): void {
    const file = join(this.home, "token");
    const key = join(this.home, "pairing-key");
    for (const path of [file, key])
      watchFile(path, { interval: POLL_MS, persistent: false }, () => this.reload());
    this.stop = () => {
      for (const path of [file, key]) unwatchFile(path);
    };
  }

  private reload(): void {
    const { listeners } = this;
    if (!listeners) return;
    const token = tokenOf(this.home);
    if (token !== undefined && token !== this.currentToken) {
      this.currentToken = token;
      listeners.onToken();
    }
    const key = pairingKey(this.home);
    if (key !== undefined && key !== this.currentKey) {
      this.currentKey = key;
      listeners.onPairingKey();
    }
  }
}
