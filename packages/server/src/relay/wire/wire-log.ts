import { appendFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { BridgeError } from "@debug-bridge/protocol";
import { maskMessage } from "./mask-message.js";

const MAX_CHARACTERS = 2_000;
const DEFAULT_BYTES = 20 * 1024 * 1024;

export type Direction = "client>relay" | "relay>client" | "relay>extension" | "extension>relay";

/**
 * The wire as JSON lines, for debugging: long messages are cut, and a full file becomes `FILE.1`, so that it never
 * holds more than twice its limit. The token, typed text, cookies, bodies and values with a secret name are masked; a message
 * that is too long to be masked is logged by its length.
 */
export class WireLog {
  private bytes: number;
  private pending = "";
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;

  constructor(
    private readonly file: string,
    private readonly secret: () => string,
    private readonly onFailed: (error: BridgeError) => void,
    private readonly mostBytes = DEFAULT_BYTES,
  ) {
    try {
      writeFileSync(file, "", { flag: "a", mode: 0o600 });
    } catch (thrown) {
      throw new BridgeError(
        "invalid_message",
        `the log of the relay cannot be written to ${file}: ${(thrown as Error).message}; choose another file`,
      );
    }
    this.bytes = statSync(file).size;
  }

  write(direction: Direction, who: string, text: string): void {
    const masked = maskMessage(text) ?? "";
    const cut = masked.length > MAX_CHARACTERS || masked === "";
    const shown = masked.replaceAll(this.secret(), "[token]").slice(0, MAX_CHARACTERS);
    const line = { at: new Date().toISOString(), direction, who, length: text.length, text: shown };
    this.pending += `${JSON.stringify(cut ? { ...line, cut } : line)}\n`;
    if (this.pending.length > 1_000_000) this.flush();
    else {
      this.timer ??= setTimeout(() => this.flush(), 50);
      this.timer.unref();
    }
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.pending;
    this.pending = "";
    if (lines === "" || this.hasEnded) return;
    try {
      if (this.bytes + lines.length > this.mostBytes && this.bytes > 0) {
        renameSync(this.file, `${this.file}.1`);
        this.bytes = 0;
      }
      appendFileSync(this.file, lines, { mode: 0o600 });
      this.bytes += Buffer.byteLength(lines);
    } catch (thrown) {
      // A full disk or a folder that was deleted ends the log and not the hub.
      this.hasEnded = true;
      this.onFailed(new BridgeError("internal", `nothing more is logged: ${(thrown as Error).message}`));
    }
  }
}
