import { platform } from "../inert/platform.js";
import type { BodyOf, TelemetryBody } from "../telemetry.js";

interface Request {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly startedAt: number;
  status?: number;
  durationMs?: number;
  error?: string;
  open: boolean;
}

/** What happened since a moment: the raw material of a receipt. */
export interface Happenings {
  readonly console: BodyOf<"console">[];
  readonly errors: string[];
  readonly requests: Request[];
  readonly navigation: { from: string; to: string } | undefined;
}

const MAX_ENTRIES = 500;
/** A request that never ends (long polling) must not keep everything from settling forever. */
const FORGET_AFTER_MS = 60_000;

/**
 * Listens to the telemetry, no matter what captured it (our hooks, or CDP), and remembers the last of it by time.
 */
export class Activity {
  private console: { at: number; message: BodyOf<"console"> }[] = [];
  private errors: { at: number; text: string }[] = [];
  private requests: Request[] = [];
  private navigations: { at: number; from: string; to: string }[] = [];
  private readonly listeners = new Set<() => void>();
  private left: { readonly to: string; readonly until: number } | undefined;

  /** The URL that replaces the document, once a navigation has started. */
  get leaving(): string | undefined {
    return this.left?.to;
  }

  /**
   * The document is being replaced. Downloads and empty answers look the same and replace nothing, and no event reports
   * it: after `ms` the document is assumed to have stayed.
   */
  leave(to: string, ms: number): void {
    this.left = { to, until: platform.now() + ms };
    for (const listener of this.listeners) listener();
  }

  /** The URL that replaces the document, as long as actions in it would be lost. */
  get goingTo(): string | undefined {
    return this.left && platform.now() < this.left.until ? this.left.to : undefined;
  }

  /** The document was not replaced. */
  stay(): void {
    this.left = undefined;
  }

  record(message: TelemetryBody): void {
    const at = platform.now();
    switch (message.type) {
      case "console":
        // The end of a group prints nothing.
        if (message.method !== "groupEnd") push(this.console, { at, message });
        break;
      case "error":
        push(this.errors, {
          at,
          text: message.message ?? message.resource?.url ?? "error",
        });
        break;
      case "unhandledrejection":
        push(this.errors, { at, text: `unhandled rejection: ${message.reason ?? ""}` });
        break;
      case "network":
        this.recordRequest(message, at);
        break;
      case "navigation":
        if (message.kind !== "load") push(this.navigations, { at, from: message.from, to: message.to });
        break;
      default:
        return;
    }
    for (const listener of this.listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** How many requests that began at or after `since` still run. */
  inFlight(since = 0): number {
    const now = platform.now();
    return this.requests.filter(
      (each) => each.open && each.startedAt >= since && now - each.startedAt < FORGET_AFTER_MS,
    ).length;
  }

  since(moment: number): Happenings {
    const recent = this.navigations.filter(({ at }) => at >= moment);
    const first = recent[0];
    const last = recent[recent.length - 1];
    return {
      console: this.console.filter(({ at }) => at >= moment).map(({ message }) => message),
      errors: this.errors.filter(({ at }) => at >= moment).map(({ text }) => text),
      requests: this.requests.filter(({ startedAt }) => startedAt >= moment),
      navigation: first && last ? { from: first.from, to: last.to } : undefined,
    };
  }

  private recordRequest(message: BodyOf<"network">, at: number): void {
    const { id, phase, api, method, url } = message;
    if (api === "websocket" || api === "eventsource") return;
    if (phase === "request") {
      push(this.requests, { id, method, url, startedAt: at, open: true });
      return;
    }
    const request = this.requests.findLast((each) => each.id === id);
    if (!request || (phase !== "response" && phase !== "failed")) return;
    request.open = false;
    request.status = message.status ?? 0;
    if (message.durationMs !== undefined) request.durationMs = message.durationMs;
    if (message.error !== undefined) request.error = message.error;
  }

  /** For the app, a response whose body is still being read has not ended. */
  holdOpen(id: string): () => void {
    const request = this.requests.findLast((each) => each.id === id);
    if (!request) return () => {};
    request.open = true;
    return () => {
      request.open = false;
      for (const listener of this.listeners) listener();
    };
  }
}

function push<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > MAX_ENTRIES) list.splice(0, MAX_ENTRIES / 2);
}
