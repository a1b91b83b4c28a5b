import { BridgeError, type HubBrowsers, type Transport } from "@debug-bridge/protocol";
import type { Bus, WorkQueue } from "../../bus/bus.js";
import { MemoryQueue } from "../../bus/memory/memory-queue.js";
import { BrowserPool, type Demand, type PooledBrowser } from "./browser-pool.js";
import { BrowserRequests } from "./browser-requests.js";
import type { Labels } from "./labels.js";
import { type BrowserProgress, readProgress } from "./messages.js";

/** What is sent to all hubs when a request was put into the queue. */
const BROWSER_WANTED = "browsers";
const MB = 1_024 * 1_024;
/** A Chrome with one page of an app. */
const MEMORY_PER_BROWSER = 400 * MB;
const ASK_TIMEOUT_MS = 3_000;

/** The browsers that a hub offers to clients of all hubs of its bus. */
export interface BrowserOffer {
  readonly labels: Labels;
  /** At most so many at once; fewer when memory is short. */
  readonly max: number;
  /** Starts a browser whose page joins the hub by `join`. */
  start(sessionId: string, join: JoinBrowser): Promise<PooledBrowser>;
}

export type JoinBrowser = (sessionId: string, options: { readonly kind: "browser" }) => Transport;

/** Browsers that clients ask for by label: requests of this hub's clients, and browsers of this hub for clients of all. */
export class Browsers {
  readonly requests: BrowserRequests;
  /** The browsers of this hub, if it offers some, from `begin` on. */
  pool: BrowserPool | undefined;
  private readonly hub: string;
  private readonly queue: WorkQueue;

  constructor(
    private readonly bus: Bus | undefined,
    private readonly offer: BrowserOffer | undefined,
    private readonly join: JoinBrowser,
  ) {
    this.queue = bus?.queue ?? new MemoryQueue();
    this.hub = bus?.hub ?? "";
    this.requests = new BrowserRequests(this.queue, this.hub, () => {
      this.pool?.poll();
      bus?.notify(BROWSER_WANTED);
    });
  }

  /** Takes requests from now on. The hub has to be on its bus by then. */
  begin(): void {
    const { offer } = this;
    if (!offer) return;
    this.pool = new BrowserPool(this.queue, {
      labels: offer.labels,
      max: offer.max,
      minMemory: MEMORY_PER_BROWSER,
      availableMemory: () => process.availableMemory(),
      start: (sessionId) => offer.start(sessionId, this.join),
      report: (hub, progress) => this.report(hub, { ...progress, kind: "browser", hub: this.hub }),
    });
  }

  /** Whether a request can be served at all: here, or by a hub that joins the bus. */
  get canBeServed(): boolean {
    return this.offer !== undefined || this.bus !== undefined;
  }

  /** What this hub has for clients, until when each browser is leased, and how many of its own clients wait. */
  describe(): HubBrowsers {
    return {
      name: this.hub,
      max: this.offer?.max ?? 0,
      labels: this.offer?.labels ?? {},
      waiting: this.requests.size,
      browsers: (this.pool?.sessions() ?? []).flatMap((session) => {
        const lease = this.pool?.lease(session);
        return lease ? { session, ...lease } : [];
      }),
    };
  }

  /** Another hub published something; false if it is not about browsers. */
  onNotice(text: string): boolean {
    if (text !== BROWSER_WANTED) return false;
    this.pool?.poll();
    return true;
  }

  /** Answers another hub that works on a request of this one; `undefined` if the message is about something else. */
  answer(body: string): string | undefined {
    const progress = readProgress(body);
    return progress && JSON.stringify(this.requests.report(progress));
  }

  async close(): Promise<void> {
    this.requests.close();
    await this.pool?.close();
  }

  private async report(hub: string, progress: BrowserProgress): Promise<Demand> {
    const demand = (isWanted: boolean): Demand => (isWanted ? "wanted" : "unwanted");
    if (hub === this.hub) return demand(this.requests.report(progress));
    try {
      return demand((await this.bus?.request(hub, JSON.stringify(progress), ASK_TIMEOUT_MS)) === "true");
    } catch {
      return "unknown";
    }
  }
}

export function noBrowser(sessionId: string): BridgeError {
  return new BridgeError(
    "session_not_found",
    `"${sessionId}" is not a browser with a lease, or its lease has ended; ask for one with POST /v1/browsers`,
  );
}
