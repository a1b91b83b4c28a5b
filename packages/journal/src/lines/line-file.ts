import { open } from "node:fs/promises";

/** What an append left out, and why. */
export interface Appended {
  /** The lines that are not in the file, in their order. */
  readonly left: readonly string[];
  readonly error?: Error;
}

/**
 * An append-only file of lines, open only while it is written. On a full disk a part of the lines may get into it: those
 * that did not can be appended again, and begin a new line.
 */
export class LineFile {
  /** Whether the file ends within a line. */
  private isTorn = false;

  constructor(readonly path: string) {}

  /** Appends lines, given with their ends. Never rejects. */
  async append(lines: readonly string[]): Promise<Appended> {
    const lead = this.isTorn ? "\n" : "";
    const bytes = Buffer.from(lead + lines.join(""));
    let written = 0;
    try {
      const file = await open(this.path, "a", 0o600);
      try {
        while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
      } finally {
        await file.close();
      }
      this.isTorn = false;
      return { left: [] };
    } catch (thrown) {
      let end = lead.length;
      let whole = 0;
      for (const line of lines) {
        const next = end + Buffer.byteLength(line);
        if (next > written) break;
        end = next;
        whole++;
      }
      if (written > 0) this.isTorn = written !== end;
      return { left: lines.slice(whole), error: thrown as Error };
    }
  }
}
