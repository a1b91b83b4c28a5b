import type { HubClient } from "@debug-bridge/client";
import { BoundedQueue, backoffDelay, type DevServerEvent } from "@debug-bridge/protocol";
import type { HubState } from "./channel.js";

const DEFAULT_HUB = "http://127.0.0.1:4000";
const RETRY = { firstMs: 1_000, maxMs: 2_000 };
const ANSWER_TIMEOUT_MS = 1_000;
/** What is reported before a page has connected waits for it. A hub takes so many at once. */
const MAX_EVENTS = 100;

type Timer = { unref?(): void };

/**
 * A development server's way to the hub: finds it as every client does (`$DEBUG_BRIDGE_HUB`, else the newest hub of the home), and
 * reports to the session of the app. Nothing here fails the server: without a hub it is quiet.
 */
export class HubLink {
  /** Reports nothing, for a server that has no pages. */
  isQuiet = false;
  private readonly waiting = new BoundedQueue<DevServerEvent>({ maxItems: MAX_EVENTS, maxSize: Infinity });
  private client: Promise<HubClient> | undefined;
  private retry: Timer | undefined;
  private isSending = false;
  private retries = 0;
  private readonly hubs: string[] | undefined;

  constructor(
    /** The endpoint for pages, or several, when the app names them. */
    private readonly url: string | readonly string[] | undefined,
    private readonly sessionId: () => string,
  ) {
    this.hubs =
      url === undefined
        ? undefined
        : [url].flat().map((each) => each.replace(/^ws/, "http").replace(/\/debug\/?(?:\?.*)?$/, ""));
  }

  /** The endpoint for pages as far as it is known without a look for the hub. */
  get assumedUrl(): string | readonly string[] {
    return this.url ?? endpointOf(DEFAULT_HUB);
  }

  /** Whether a hub runs, and the endpoint that it has for pages. */
  async state(): Promise<HubState> {
    if (this.url !== undefined && this.hubs !== undefined)
      return { up: (await Promise.all(this.hubs.map(answers))).includes(true), url: this.url };
    const { findHub, requestedHubs } = await import("@debug-bridge/client");
    const found = await findHub({}, { background: true });
    const hubs = new Set([...(found ? [found.url] : []), ...requestedHubs({})]);
    const urls = [...hubs].map(endpointOf);
    return { up: found !== undefined, url: urls.length > 1 ? urls : (urls[0] ?? endpointOf(DEFAULT_HUB)) };
  }

  /** Address of the dashboard, if a hub runs. */
  async dashboard(): Promise<string | undefined> {
    const { findHub } = await import("@debug-bridge/client");
    const found = await findHub({ hub: this.hubs }, { background: true });
    return found && `${found.url}/`;
  }

  report(event: DevServerEvent): void {
    if (this.isQuiet) return;
    // Edits lead to their effects, so lines of the server's log are dropped first.
    this.waiting.add(
      () => event,
      () => 0,
      event.type === "edit",
    );
    // A server that starts has better things to do.
    if (event.type === "edit") void this.send();
    else this.tryAgain();
  }

  private async send(): Promise<void> {
    if (this.isSending || this.waiting.length === 0) return;
    this.isSending = true;
    const { items } = this.waiting.after(0);
    try {
      this.client ??= this.open();
      const path = `/v1/sessions/${encodeURIComponent(this.sessionId())}/dev-server`;
      await (await this.client).post(path, { events: items.map(({ item }) => item) });
      this.waiting.confirm(items.at(-1)?.seq ?? 0);
      this.retries = 0;
      this.isSending = false;
      await this.send();
    } catch {
      // No hub yet, or no page has connected to it yet.
      this.isSending = false;
      this.tryAgain();
    }
  }

  private async open(): Promise<HubClient> {
    const { HubClient, requireHub } = await import("@debug-bridge/client");
    return new HubClient({ hub: () => requireHub({ hub: this.hubs }), name: "dev-server" });
  }

  private tryAgain(): void {
    if (this.retry) return;
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        void this.send();
      },
      backoffDelay(this.retries++, RETRY),
    ) as unknown as Timer;
    this.retry.unref?.();
  }
}

function endpointOf(hub: string): string {
  return `${hub.replace(/^http/, "ws")}/debug`;
}

/** Whatever answers at an address that the app names is there on purpose; the page finds out what it is. */
async function answers(hub: string): Promise<boolean> {
  try {
    await fetch(`${hub}/healthz`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}
