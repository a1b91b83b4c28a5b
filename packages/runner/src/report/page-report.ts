import { maskUrl } from "@debug-bridge/driver";
import {
  type Log,
  type Metrics,
  type NetworkEvent,
  type Telemetry,
  type TimelineRecord,
  truncate,
} from "@debug-bridge/protocol";
import { explain, explainPageError } from "../diagnosis/catalogue.js";
import type { SourceMaps } from "../source-maps/source-maps.js";
import type { ActionLogs } from "./logs.js";
import { type DocumentAnswer, isFavicon, Requests } from "./requests.js";

type DataOf<Type extends Telemetry["type"]> = Extract<Telemetry, { type: Type }>;
type VitalField = "ttfb" | "fcp" | "lcp" | "domContentLoaded" | "loadTime";

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

/** What happened on the page during one action. */
export interface ActionReport {
  readonly networkEvents: NetworkEvent[];
  readonly jsErrors: number;
  readonly networkErrors: number;
}

/**
 * Builds reports of a page from the records of its timeline: console lines and errors go into the logs, requests are
 * joined with their answers, timings are those of the current document.
 */
export class PageReport {
  private readonly requests: Requests;
  private jsErrors = 0;
  private vitals: Partial<Record<VitalField, number>> = {};
  private hinted = new Set<string>();
  /** The address that was opened last. */
  private opening = "";
  private mapping: Promise<void>[] = [];
  private readonly awaitingPaint: (() => void)[] = [];

  constructor(
    private readonly logs: ActionLogs,
    private readonly maps: SourceMaps,
    /** Address of the page as it is now. */
    private readonly pageUrl: () => string,
    /** Whether headers and bodies of requests were asked for. */
    withDetails = false,
  ) {
    this.requests = new Requests(withDetails);
  }

  /** Adds a record. Records that are not about the page, such as commands, are skipped. */
  add({ type, data }: TimelineRecord): void {
    switch (type) {
      case "console":
        this.addConsole(data as DataOf<"console"> & { text?: string });
        break;
      case "error":
      case "unhandledrejection":
        this.addError(type, data as DataOf<"error">);
        break;
      case "network":
        this.requests.add(data as DataOf<"network">);
        break;
      case "vitals":
        this.addVital(data as DataOf<"vitals">);
        break;
      case "navigation":
        if ((data as DataOf<"navigation">).kind === "load") this.vitals = {};
        break;
      case "gap": {
        const { dropped, reason } = data as DataOf<"gap">;
        this.logs.tool("warning", `${dropped ?? "some"} records were dropped: ${reason ?? "too many"}`);
      }
    }
  }

  /** The timings of the current document. */
  get timings(): Partial<Metrics> {
    return { ...this.vitals };
  }

  /** Resolves when the page has painted. */
  whenPainted(): Promise<void> {
    if (this.vitals.fcp !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.awaitingPaint.push(resolve));
  }

  /** The newest requests since the last navigation, whether already reported or not. */
  get recentRequests(): readonly NetworkEvent[] {
    return this.requests.recent;
  }

  /** How the server answered the request for the document at this URL. */
  documentAt(url: string): DocumentAnswer | undefined {
    return this.requests.documentAt(maskUrl(url.replace(/#.*$/s, "")));
  }

  /** A navigation begins: drops what is about the page that is being left. */
  forgetPage(opening: string): void {
    this.opening = maskUrl(opening.replace(/#.*$/s, ""));
    for (const resolve of this.awaitingPaint.splice(0)) resolve();
    this.requests.forgetPage();
    this.logs.forgetErrors();
  }

  /** Waits until stacks are mapped, so that every error is in the logs. */
  async settled(): Promise<void> {
    while (this.mapping.length > 0) await Promise.all(this.mapping.splice(0));
  }

  /** Everything since the last call, once. */
  async finish(): Promise<ActionReport> {
    await this.settled();
    const { jsErrors } = this;
    const { events, failures, omitted } = this.requests.drainEvents();
    this.hinted = new Set();
    this.jsErrors = 0;
    if (omitted > 0) {
      this.logs.tool("warning", `${omitted} requests were left out; networkEvents holds ${events.length}`);
    }
    return { networkEvents: events, jsErrors, networkErrors: failures };
  }

  private addConsole(line: DataOf<"console"> & { readonly text?: string }): void {
    const { level, method = "", args, location, count = 1 } = line;
    if (isFavicon(location?.url ?? "") || method === "groupEnd") return;
    const logged = line.text ?? args.join(" ");
    // The page did not log a dialog, so the entry names it.
    const text = (DIALOGS.has(method) ? `${method}: ${logged}` : logged).trimEnd();
    const source = /^browser:(\w+)/.exec(method)?.[1];
    const category = source === "network" ? "network" : source === "javascript" ? "javascript" : "console";
    this.logs.browser({
      type: method === "debug" ? "debug" : (LEVELS[level] ?? "info"),
      message: count > 1 ? `${text} (${count} times)` : text,
      category,
      ...(location ? { location } : {}),
    });
    // The catalogue may know the cause of what the browser itself reports as an error.
    // The status of the document itself is reported, with its hint, where it is opened.
    const isDocument = source === "network" && location?.url === this.opening;
    if (source && level === "error" && !isDocument) this.hint(text, explain(text, { url: location?.url }));
  }

  private addError(type: "error" | "unhandledrejection", record: DataOf<"error">): void {
    // The browser's own log and the network record already report resources.
    if (record.resource) return;
    this.jsErrors++;
    const message = record.message ?? record.reason ?? "an unknown error";
    const location =
      record.filename && record.lineno !== undefined
        ? { url: record.filename, line: record.lineno, column: record.colno ?? 0 }
        : undefined;
    const timestamp = Date.now();
    const page = this.pageUrl();
    this.mapping.push(
      (async () => {
        const [stack, place] = await Promise.all([
          record.stack === undefined ? undefined : this.maps.mapStack(record.stack, page),
          location && this.maps.locate(location, page),
        ]);
        this.logs.browser({
          type: "error",
          category: "javascript",
          message: type === "error" ? message : `Unhandled rejection: ${message}`,
          timestamp,
          ...(stack === undefined ? {} : { stack }),
          ...(place ? { location: place } : {}),
        });
        this.hint(message, explainPageError(message, { url: record.filename }));
      })().catch(() => {}),
    );
  }

  private addVital({ name, value }: DataOf<"vitals">): void {
    const field = VITALS[name];
    if (field) this.vitals[field] = value;
    if (name === "FCP") for (const resolve of this.awaitingPaint.splice(0)) resolve();
  }

  /** One hint for each kind of problem and action, as an entry of the tool. */
  private hint(message: string, { id, category, hint }: ReturnType<typeof explain>): void {
    if (id === "unknown" || this.hinted.has(id)) return;
    this.hinted.add(id);
    this.logs.tool("warning", `${truncate(message.replace(/\s+/g, " "), 300)}. Hint: ${hint}`, { category });
  }
}
