import { type ConsoleRecordData, type Receipt, truncate } from "@debug-bridge/protocol";
import type { RawResult } from "../peers/app-peer.js";

/** A receipt has the newest lines, and at most 50 of them. */
const MAX_LINES = 100;
/** Where pages cut a line of a receipt. */
const MAX_CHARACTERS = 500;

/**
 * Pages put the arguments of a console call into a receipt as they are. Records of the timeline have them formatted, and
 * here the lines of a receipt become the same: `%s is %d stock 3` is `stock is 3`.
 */
export class FormattedLines {
  private readonly lines = new Map<string, string>();

  /** A line that was recorded. Most have no format. */
  add({ text, args }: ConsoleRecordData): void {
    if (args === undefined || !args.some((arg) => arg.includes("%"))) return;
    const raw = truncate(args.join(" "), MAX_CHARACTERS);
    this.lines.delete(raw);
    this.lines.set(raw, truncate(text, MAX_CHARACTERS));
    if (this.lines.size > MAX_LINES) this.lines.delete(this.lines.keys().next().value as string);
  }

  /** The result with the lines of its receipt formatted; the same object when there is nothing to format. */
  apply(result: RawResult): RawResult {
    const { receipt } = result.message;
    if (!receipt?.console?.some(({ text }) => this.lines.has(text))) return result;
    const console = receipt.console.map((line) => ({
      ...line,
      text: this.lines.get(line.text) ?? line.text,
    }));
    const message = { ...result.message, receipt: { ...receipt, console } satisfies Receipt };
    return { message, text: JSON.stringify(message) };
  }
}
