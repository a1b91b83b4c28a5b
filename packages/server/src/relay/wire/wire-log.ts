import { appendFileSync, renameSync, statSync, writeFileSync } from "node:fs";

const MAX_CHARACTERS = 2_000;
const DEFAULT_BYTES = 20 * 1024 * 1024;

export type Direction = "client>relay" | "relay>client" | "relay>extension" | "extension>relay";

/**
 * The wire as JSON lines, for debugging: long messages are cut, and a full file becomes `FILE.1`, so that it never
 * holds more than twice its limit. Should the token be in a message, it is removed.
 */
export class WireLog {
  private bytes: number;
  private pending = "";
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly secret: () => string,
    private readonly mostBytes = DEFAULT_BYTES,
  ) {
    writeFileSync(file, "", { flag: "a", mode: 0o600 });
    this.bytes = statSync(file).size;
  }

  write(direction: Direction, who: string, text: string): void {
    const cut = text.length > MAX_CHARACTERS;
    const shown = (cut ? text.slice(0, MAX_CHARACTERS) : text).replaceAll(this.secret(), "[token]");
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
    if (lines === "") return;
    if (this.bytes + lines.length > this.mostBytes && this.bytes > 0) {
      renameSync(this.file, `${this.file}.1`);
      this.bytes = 0;
    }
    appendFileSync(this.file, lines, { mode: 0o600 });
    this.bytes += Buffer.byteLength(lines);
  }
}
