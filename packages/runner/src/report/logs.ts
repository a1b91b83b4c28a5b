import {
  FIELD_LIMITS,
  type Log,
  type LogFilter,
  stripControlCharacters,
  truncate,
} from "@debug-bridge/protocol";

const SEVERITY = { verbose: 0, debug: 1, info: 2, warning: 3, error: 4 } as const;

export type LogEntry = Omit<Log, "timestamp" | "severity"> & { readonly timestamp?: number };

const MAX_ENTRIES = 2_000;
const MAX_ERRORS = 200;
/** A warning that our own way of reading timings causes, not the page. */
const OWN_NOISE = /API for given entry type/i;

/** The limits of one entry and of all entries of an action: a page can log forever. */
const MAX_CHARACTERS = Math.min(20_000, FIELD_LIMITS.text);
const MAX_IN_ALL = 1_000_000;

/**
 * The log of the current action. The runner writes nowhere else; a listener receives entries as they come.
 */
export class ActionLogs {
  private entries: Log[] = [];
  private errors: Log[] = [];
  private dropped = 0;
  private size = 0;
  private debugging = false;

  constructor(private readonly onLog: (log: Log) => void = () => {}) {}

  /** Entries of level `debug` and `verbose` that the runner itself writes are kept only while this is on. */
  set debug(on: boolean) {
    this.debugging = on;
  }

  /** Adds an entry of the runner itself. */
  tool(type: Log["type"], message: string, more: Partial<LogEntry> = {}): void {
    if (!this.debugging && SEVERITY[type] <= SEVERITY.debug) return;
    this.add({ category: "automation", ...more, type, message, source: "tool" });
  }

  /** Adds an entry for something that happened in the browser. */
  browser(entry: Omit<LogEntry, "source">): void {
    if (OWN_NOISE.test(entry.message)) return;
    this.add({ ...entry, source: "browser" });
  }

  /** Adds an entry that lets user interfaces show that something is loading. */
  loading(message: string): void {
    this.add({ type: "info", message, source: "tool", category: "loading" });
  }

  /** The newest errors of the browser, whether already reported or not, until they are cleared. */
  get recentErrors(): readonly Log[] {
    return this.errors;
  }

  forgetErrors(): void {
    this.errors = [];
  }

  /** The entries since the last call, once. */
  drainEntries(filter: LogFilter = {}): Log[] {
    const { entries, dropped } = this;
    this.entries = [];
    this.dropped = 0;
    this.size = 0;
    if (dropped > 0) {
      const message = `${dropped} log entries were left out; ${MAX_ENTRIES} entries or ${MAX_IN_ALL} characters are kept for one action`;
      entries.push(finished({ type: "warning", message, source: "tool", category: "automation" }));
    }
    return filterLogs(entries, filter);
  }

  private add(entry: LogEntry): void {
    // There is always room for the runner's own entries.
    const isFull = this.entries.length >= MAX_ENTRIES || this.size >= MAX_IN_ALL;
    if (isFull && entry.source === "browser") {
      this.dropped++;
      return;
    }
    const log = finished(entry);
    this.size += log.message.length + (log.stack?.length ?? 0);
    this.entries.push(log);
    if (log.source === "browser" && log.type === "error" && this.errors.length < MAX_ERRORS)
      this.errors.push(log);
    this.onLog(log);
  }
}

function finished({ message, stack, timestamp = Date.now(), ...rest }: LogEntry): Log {
  return {
    ...rest,
    message: truncate(stripControlCharacters(message), MAX_CHARACTERS),
    timestamp,
    severity: SEVERITY[rest.type],
    ...(stack === undefined ? {} : { stack: truncate(stripControlCharacters(stack), MAX_CHARACTERS) }),
  };
}

/** Keeps the entries that match a filter. Fields that the filter leaves out match everything. */
export function filterLogs(logs: readonly Log[], { types, categories, minSeverity }: LogFilter): Log[] {
  return logs.filter(
    (log) =>
      (types === undefined || types.includes(log.type)) &&
      (categories === undefined || (log.category !== undefined && categories.includes(log.category))) &&
      (minSeverity === undefined || SEVERITY[log.type] >= minSeverity),
  );
}
