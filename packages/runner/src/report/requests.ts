import { type NetworkEvent, type NetworkTelemetry, truncate } from "@debug-bridge/protocol";

const MAX_EVENTS = 1_000;
const MAX_URL_LENGTH = 1_000;
/** The browser requests it on its own, so a missing one is not the page's fault. */
const FAVICON = /\/favicon\.ico($|\?)/;
const CANCELLED = /ERR_ABORTED|canceled/i;

export const isFavicon = (url: string): boolean => FAVICON.test(url);

/** An answer to a request for a document. */
export interface DocumentAnswer {
  readonly status?: number;
  readonly statusText?: string;
}

/** Joins requests with their answers by id, from the `network` records of a page. */
export class Requests {
  private readonly running = new Map<string, NetworkEvent>();
  private changed = new Map<string, NetworkEvent>();
  private readonly ofPage = new Set<NetworkEvent>();
  private readonly documents = new Map<string, DocumentAnswer>();
  private failures = 0;
  private omitted = 0;

  /** Whether headers and bodies were asked for. */
  constructor(private readonly withDetails: boolean) {}

  add(record: NetworkTelemetry): void {
    if (record.phase === "message") return;
    const event = this.eventFor(record);
    if (record.status !== undefined) event.status = record.status;
    if (record.durationMs !== undefined) event.durationMs = record.durationMs;
    if (record.responseBytes !== undefined) event.bytes = record.responseBytes;
    if (record.error !== undefined) event.errorText = record.error;
    if (this.withDetails) addDetails(event, record);
    if (record.phase !== "request" && record.phase !== "open") this.running.delete(record.id);
    if (record.phase === "response" && event.resourceType === "document") this.addDocument(record);
    const failed = record.phase === "failed" && !CANCELLED.test(record.error ?? "");
    const refused = record.phase === "response" && (record.status ?? 0) >= 400;
    if ((failed || refused) && !isFavicon(record.url)) this.failures++;
    if (this.changed.has(record.id) || this.changed.size < MAX_EVENTS) this.changed.set(record.id, event);
    else this.omitted++;
  }

  /** The newest requests since the last navigation, whether already reported or not. */
  get recent(): readonly NetworkEvent[] {
    return [...this.ofPage].filter(({ url }) => !isFavicon(url));
  }

  /** How the server answered the request for a document at this URL, as the records have the URL. */
  documentAt(url: string): DocumentAnswer | undefined {
    return this.documents.get(truncate(url, MAX_URL_LENGTH));
  }

  /** Drops what is about the page that is being left. */
  forgetPage(): void {
    this.ofPage.clear();
    this.documents.clear();
  }

  /** Everything since the last call, once. */
  drainEvents(): { events: NetworkEvent[]; failures: number; omitted: number } {
    const { failures, omitted } = this;
    const events = [...this.changed.values()];
    this.changed = new Map();
    this.failures = 0;
    this.omitted = 0;
    return { events, failures, omitted };
  }

  private addDocument({ url, status, statusText }: NetworkTelemetry): void {
    if (this.documents.size >= MAX_EVENTS) this.documents.clear();
    this.documents.set(truncate(url, MAX_URL_LENGTH), {
      ...(status === undefined ? {} : { status }),
      ...(statusText === undefined ? {} : { statusText }),
    });
  }

  private eventFor(record: NetworkTelemetry): NetworkEvent {
    const known = this.running.get(record.id);
    if (known) return known;
    const type = record.resourceType?.toLowerCase() ?? record.api;
    const event: NetworkEvent = {
      requestId: record.id,
      url: truncate(record.url, MAX_URL_LENGTH),
      method: record.method,
      timestamp: Date.now(),
      ...(type === "other" ? {} : { resourceType: type }),
    };
    if (this.running.size >= MAX_EVENTS) this.running.clear();
    this.running.set(record.id, event);
    if (this.ofPage.size >= MAX_EVENTS) this.ofPage.clear();
    this.ofPage.add(event);
    return event;
  }
}

/** Headers and bodies, as far as they are in the records. */
function addDetails(event: NetworkEvent, { phase, headers, body }: NetworkTelemetry): void {
  const isRequest = phase === "request";
  if (headers !== undefined) event[isRequest ? "requestHeaders" : "responseHeaders"] = headers;
  if (body !== undefined) event[isRequest ? "requestBody" : "responseBody"] = body;
}
