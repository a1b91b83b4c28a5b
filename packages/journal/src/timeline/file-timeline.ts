import { closeSync, fstatSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import {
  addLine,
  emptyColumns,
  type TimelineColumns,
  type TimelineSource,
} from "@debug-bridge/protocol/timeline";
import { LineSplitter } from "../lines/line-splitter.js";
import { openRegular } from "../lines/regular-file.js";

const CHUNK_BYTES = 128 * 1024;
const BLOCK_BYTES = 1024 * 1024;
/** How long other work of the process may have to wait. */
const SLICE_MS = 8;
/** Records of one file that can be paged. What comes after them is not shown. */
const MAX_RECORDS = 20_000_000;

/**
 * The records of a file of JSON lines, which may still grow. Only numbers about each record are kept; texts are read
 * when they are asked for. The file may come from anywhere: lines that are not records are left out.
 */
export class FileTimeline implements TimelineSource {
  readonly columns: TimelineColumns = emptyColumns();
  readonly pause = (): Promise<void> => nextTurn();
  private readonly fd: number;
  private readonly splitter: LineSplitter;
  private size = 0;
  private block = Buffer.alloc(0);
  private blockStart = 0;
  /** Where the line begins whose end was not read yet. */
  private lineStart = 0;
  private extending: Promise<boolean> | undefined;

  constructor(path: string) {
    this.fd = openRegular(path);
    this.splitter = new LineSplitter(0, AGENT_LINE_LIMITS.bytes);
    this.size = fstatSync(this.fd).size;
  }

  get bytes(): number {
    return this.size;
  }

  get progress(): number {
    return this.size === 0 ? 1 : Math.min(1, this.splitter.position / this.size);
  }

  close(): void {
    closeSync(this.fd);
  }

  /** Calls at the same time share the work. */
  extend(maxMs: number): Promise<boolean> {
    this.extending ??= this.index(maxMs).finally(() => {
      this.extending = undefined;
    });
    return this.extending;
  }

  read(position: number): string | undefined {
    const { columns } = this;
    if (position < 0 || position >= columns.length) return undefined;
    const start = columns.offsets[position] as number;
    const next = position + 1 < columns.length ? columns.offsets[position + 1] : this.splitter.position;
    const end = Math.min(next as number, start + AGENT_LINE_LIMITS.bytes);
    const text = this.bytesOf(start, end).toString("utf8");
    const lineEnd = text.indexOf("\n");
    return lineEnd === -1 ? text : text.slice(0, lineEnd);
  }

  private async index(maxMs: number): Promise<boolean> {
    const started = performance.now();
    this.size = fstatSync(this.fd).size;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let slice = started;
    for (;;) {
      const from = this.splitter.position;
      const bytes = readSync(this.fd, chunk, 0, chunk.length, from);
      if (bytes === 0 || this.columns.length >= MAX_RECORDS) return true;
      let start = this.lineStart;
      for (const line of this.splitter.push(chunk.subarray(0, bytes))) {
        if (!line.cut) addLine(this.columns, line.text, start);
        start = line.end;
      }
      this.lineStart = start;
      const now = performance.now();
      if (now - started > maxMs) return false;
      if (now - slice > SLICE_MS) {
        await nextTurn();
        slice = performance.now();
      }
    }
  }

  /** Bytes of the file, from a block that is kept: neighbours are usually read together. */
  private bytesOf(start: number, end: number): Buffer {
    if (start < this.blockStart || end > this.blockStart + this.block.length) {
      const block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, end - start));
      const read = readSync(this.fd, block, 0, block.length, start);
      this.block = block.subarray(0, read);
      this.blockStart = start;
    }
    return this.block.subarray(start - this.blockStart, end - this.blockStart);
  }
}
