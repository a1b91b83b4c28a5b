import {
  type AppMessage,
  type ConsoleAppMessage,
  type ConsoleRecordData,
  type ConsoleReporter,
  type ExtensionLine,
  fromAppMessage,
} from "@debug-bridge/protocol";

const MAX_CALLS = 2_048;
const MAX_PERIODS = 32;
/** The two clocks of one call, that of the page and that of the browser, differ by less. */
const CLOCK_SKEW_MS = 5;

/** A time during which the browser itself reports the console of a tab. `end` is missing while it still does. */
interface CdpPeriod {
  readonly start: number;
  end?: number;
}

/**
 * Decides which console lines a session records, so that each call is recorded once. Calls are compared by identity:
 * - The SDK and the extension send the same `callId` for the same call; the second report is dropped.
 * - Of the extension and CDP, one owns the tab at any moment: CDP while it captures, the extension otherwise.
 *
 * Pure: times come with the messages.
 */
export class ConsoleLines {
  /** Who reported a call first, until the other reporter has reported it as well. */
  private readonly calls = new Map<string, ConsoleReporter>();
  private readonly periods: CdpPeriod[] = [];
  /** Time of the first line that the extension reported of the current document. */
  private extensionSince = Number.POSITIVE_INFINITY;
  private documentId: string | undefined;

  /** A page sent `hello`. From the time of the first hello of a driven page on, CDP owns the tab. */
  onHello({ kind, instanceId, timestamp }: Extract<AppMessage, { type: "hello" }>): void {
    const isDriven = isDrivenKind(kind) && instanceId !== undefined;
    const last = this.periods.at(-1);
    if (!isDriven || (last && last.end === undefined)) return;
    this.periods.push({ start: timestamp });
    if (this.periods.length > MAX_PERIODS) this.periods.shift();
  }

  /** The app that captured over CDP left. */
  onAppLeft(kind: string | undefined, at: number): void {
    const last = this.periods.at(-1);
    if (isDrivenKind(kind) && last && last.end === undefined) last.end = at;
  }

  /** The record of a line that an app reported; `undefined` when the line is recorded already. */
  fromApp(
    message: ConsoleAppMessage,
    page: { readonly kind: string | undefined; readonly url: string | undefined },
  ): ConsoleRecordData | undefined {
    const source = isDrivenKind(page.kind) ? "cdp" : "sdk";
    if (source === "cdp" && this.belongsToExtension(message.timestamp)) return undefined;
    if (this.isSecondReport(message.callId, source)) return undefined;
    return fromAppMessage(message, source, page.url);
  }

  /** Whether to record a line that the extension reported. */
  acceptsFromExtension({ at, data }: ExtensionLine): boolean {
    if (this.periods.some(({ start, end = Number.POSITIVE_INFINITY }) => at >= start && at <= end))
      return false;
    if (data.frame?.isTop && data.frame.documentId !== this.documentId) {
      this.documentId = data.frame.documentId;
      this.extensionSince = at;
    }
    this.extensionSince = Math.min(this.extensionSince, at);
    return !this.isSecondReport(data.callId, "extension");
  }

  /**
   * When CDP attaches, Chrome repeats the lines that the page printed before. They are the extension's, if it was
   * there when they were printed.
   */
  private belongsToExtension(at: number): boolean {
    const isCovered = this.periods.some(
      ({ start, end = Number.POSITIVE_INFINITY }) => at >= start && at <= end,
    );
    return !isCovered && at >= this.extensionSince - CLOCK_SKEW_MS;
  }

  /** Only a report of the other reporter counts: a page that repeats an id hides nothing. */
  private isSecondReport(callId: string | undefined, reporter: ConsoleReporter): boolean {
    if (callId === undefined) return false;
    const first = this.calls.get(callId);
    if (first !== undefined && first !== reporter) {
      this.calls.delete(callId);
      return true;
    }
    this.calls.set(callId, reporter);
    if (this.calls.size > MAX_CALLS) this.calls.delete(this.calls.keys().next().value as string);
    return false;
  }
}

function isDrivenKind(kind: string | undefined): boolean {
  return kind === "tab" || kind === "browser";
}
