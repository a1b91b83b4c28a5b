import type { TelemetryBody } from "@debug-bridge/driver";
import { type Log, type Metrics, type NetworkEvent, truncate } from "@debug-bridge/protocol";
import { explain, explainPageError } from "../diagnosis/catalogue.js";
import type { ActionLogs } from "../log/logs.js";
import type { SourceMaps } from "./source-maps.js";

type BodyOf<Type extends TelemetryBody["type"]> = Extract<TelemetryBody, { type: Type }>;
type VitalField = "ttfb" | "fcp" | "lcp" | "domContentLoaded" | "loadTime";

const MOST_NETWORK_EVENTS = 1_000;
const MOST_URL = 1_000;
/** The browser asks for it by itself; that it is not there is nothing that a page did wrong. */
const FAVICON = /\/favicon\.ico($|\?)/;
const LEVELS: Readonly<Record<string, Log["type"]>> = {
  error: "error",
  warn: "warning",
  info: "info",
  log: "info",
};
const DIALOGS: ReadonlySet<string> = new Set(["alert", "confirm", "prompt", "beforeunload"]);
const VITALS: Readonly<Record<string, VitalField>> = {
  TTFB: "ttfb",
  FCP: "fcp",
  LCP: "lcp",
  DCL: "domContentLoaded",
  load: "loadTime",
};

/** What one action left behind. */
export interface Collected {
  readonly networkEvents: NetworkEvent[];
  readonly jsErrors: number;
  readonly networkErrors: number;
}

/**
 * Gathers what a page tells, from one action to the next: its console and errors go into the logs, requests are put
 * together with their answers by id, timings are kept for the document that is shown.
 */
export class Collector {
  private readonly running = new Map<string, NetworkEvent>();
  private changed = new Map<string, NetworkEvent>();
  private readonly newest = new Set<NetworkEvent>();
  private jsErrors = 0;
  private networkErrors = 0;
  private omitted = 0;
  private vitals: Partial<Record<VitalField, number>> = {};
  private hinted = new Set<string>();
  private mapping: Promise<void>[] = [];
  private readonly awaitPaint: (() => void)[] = [];
  private readonly types = new Map<string, string>();

  constructor(
    private readonly logs: ActionLogs,
    private readonly maps: SourceMaps,
  ) {}

  /** What kind of resource a request is for, which only the browser knows. */
  noteType(requestId: string, type: string): void {
    if (this.types.size > MOST_NETWORK_EVENTS) this.types.clear();
    this.types.set(requestId, type.toLowerCase());
  }

  take(record: TelemetryBody): void {
    switch (record.type) {
      case "console":
        this.console(record);
        break;
      case "error":
      case "unhandledrejection":
        this.error(record);
        break;
      case "network":
        this.network(record);
        break;
      case "vitals": {
        const field = VITALS[record.name];
        if (field) this.vitals[field] = record.value;
        if (record.name === "FCP") for (const tell of this.awaitPaint.splice(0)) tell();
        break;
      }
      case "navigation":
        if (record.kind === "load") this.vitals = {};
        break;
      case "gap":
        this.logs.tool(
          "warning",
          `${record.dropped ?? "some"} records were dropped: ${record.reason ?? "too many"}`,
        );
    }
  }

  /** The timings of the document that is shown. */
  get timings(): Partial<Metrics> {
    return { ...this.vitals };
  }

  /** Resolves when the page has painted. */
  whenPainted(): Promise<void> {
    if (this.vitals.fcp !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.awaitPaint.push(resolve));
  }

  /** The newest requests since the last navigation, whether they were told of or not. */
  get recent(): readonly NetworkEvent[] {
    return [...this.newest].filter(({ url }) => !FAVICON.test(url));
  }

  /** A navigation begins: what was before it is no longer of interest. */
  forget(): void {
    for (const tell of this.awaitPaint.splice(0)) tell();
    this.newest.clear();
  }

  /** Waits until stacks are mapped, so that every error is in the logs. */
  async settled(): Promise<void> {
    while (this.mapping.length > 0) await Promise.all(this.mapping.splice(0));
  }

  /** Everything since the last call, once. */
  async finish(): Promise<Collected> {
    await this.settled();
    const { jsErrors, networkErrors, omitted } = this;
    const networkEvents = [...this.changed.values()];
    this.changed = new Map();
    this.hinted = new Set();
    this.jsErrors = 0;
    this.networkErrors = 0;
    this.omitted = 0;
    if (omitted > 0)
      this.logs.tool(
        "warning",
        `${omitted} requests were left out of networkEvents; ${MOST_NETWORK_EVENTS} fit`,
      );
    return { networkEvents, jsErrors, networkErrors };
  }

  private console({ level, method, args, location, count = 1 }: BodyOf<"console">): void {
    // What a dialog said is told as one, since the page has not logged it.
    const text = [...(DIALOGS.has(method ?? "") ? [`${method}:`] : []), ...args].join(" ").trimEnd();
    if (FAVICON.test(location?.url ?? "")) return;
    const source = /^browser:(\w+)/.exec(method ?? "")?.[1];
    const category = source === "network" ? "network" : source === "javascript" ? "javascript" : "console";
    this.logs.browser({
      type: method === "debug" ? "debug" : (LEVELS[level] ?? "info"),
      message: count > 1 ? `${text} (${count} times)` : text,
      category,
      ...(location ? { location } : {}),
    });
    // What the browser itself calls an error has a cause that the catalogue may know.
    if (source && level === "error") this.hint(text, explain(text, { url: location?.url }));
  }

  private error(record: BodyOf<"error" | "unhandledrejection">): void {
    // The browser's own log and the network event tell of resources already.
    if (record.type === "error" && record.resource) return;
    this.jsErrors++;
    const message = record.message ?? record.reason ?? "an unknown error";
    const location =
      record.filename && record.lineno !== undefined
        ? { url: record.filename, line: record.lineno, column: record.colno ?? 0 }
        : undefined;
    const timestamp = Date.now();
    this.mapping.push(
      (async () => {
        const [stack, place] = await Promise.all([
          record.stack === undefined ? undefined : this.maps.mapStack(record.stack),
          location && this.maps.locate(location),
        ]);
        this.logs.browser({
          type: "error",
          category: "javascript",
          message: record.type === "error" ? message : `Unhandled rejection: ${message}`,
          timestamp,
          ...(stack === undefined ? {} : { stack }),
          ...(place ? { location: place } : {}),
        });
        this.hint(message, explainPageError(message, { url: record.filename }));
      })().catch(() => {}),
    );
  }

  /** One hint for each kind of trouble and action, in the runner's own voice. */
  private hint(message: string, { id, category, hint }: ReturnType<typeof explain>): void {
    if (id === "unknown" || this.hinted.has(id)) return;
    this.hinted.add(id);
    this.logs.tool("warning", `${truncate(message.replace(/\s+/g, " "), 300)}. Hint: ${hint}`, { category });
  }

  private network(record: BodyOf<"network">): void {
    if (record.phase === "message") return;
    const event = this.eventFor(record);
    if (record.status !== undefined) event.status = record.status;
    if (record.durationMs !== undefined) event.durationMs = record.durationMs;
    if (record.responseBytes !== undefined) event.bytes = record.responseBytes;
    if (record.error !== undefined) event.errorText = record.error;
    if (record.phase !== "request" && record.phase !== "open") this.running.delete(record.id);
    const failed = record.phase === "failed" && !/ERR_ABORTED|canceled/i.test(record.error ?? "");
    const refused = record.phase === "response" && (record.status ?? 0) >= 400;
    if ((failed || refused) && !FAVICON.test(record.url)) this.networkErrors++;
    if (this.changed.has(record.id) || this.changed.size < MOST_NETWORK_EVENTS)
      this.changed.set(record.id, event);
    else this.omitted++;
  }

  private eventFor(record: BodyOf<"network">): NetworkEvent {
    const known = this.running.get(record.id);
    if (known) return known;
    const type = this.types.get(record.id) ?? this.types.get(record.id.replace(/\.\d+$/, "")) ?? record.api;
    const event: NetworkEvent = {
      requestId: record.id,
      url: truncate(record.url, MOST_URL),
      method: record.method,
      timestamp: Date.now(),
      ...(type === "other" ? {} : { resourceType: type }),
    };
    if (this.running.size > MOST_NETWORK_EVENTS) this.running.clear();
    this.running.set(record.id, event);
    if (this.newest.size > MOST_NETWORK_EVENTS) this.newest.clear();
    this.newest.add(event);
    return event;
  }
}
