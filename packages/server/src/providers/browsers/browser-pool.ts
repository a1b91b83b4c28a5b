import { BridgeError } from "@debug-bridge/protocol";
import { asWallTime, steadyNow } from "../../bounds/steady-clock.js";
import { WORK_MS, type WorkItem, type WorkQueue } from "../../bus/bus.js";
import { withDeadline } from "../../bus/deadline.js";
import { isFor, type Labels } from "./labels.js";
import { type BrowserProgress, type BrowserTask, readTask } from "./messages.js";

/** A browser that was started for one session. */
export interface PooledBrowser {
  /** Whether it answers. */
  isHealthy(): Promise<boolean>;
  /** Ends all of its processes. May be called more than once. */
  close(): Promise<void>;
}

/** Whether somebody still wants a browser; `unknown` when the hub where they wait cannot be reached. */
export type Demand = "wanted" | "unwanted" | "unknown";

export interface PoolOptions {
  readonly labels: Labels;
  /** At most so many browsers at once. */
  readonly max: number;
  /** How many bytes must be available before another one is started. */
  readonly minMemory: number;
  readonly availableMemory: () => number;
  /** Starts a browser whose page joins the hub as this session. */
  readonly start: (sessionId: string) => Promise<PooledBrowser>;
  /** Reports the progress to the hub that waits. */
  readonly report: (hub: string, progress: Omit<BrowserProgress, "kind" | "hub">) => Promise<Demand>;
}

export interface BrowserLease {
  readonly leaseMs: number;
  /** When the browser ends unless the lease is renewed: for clients in milliseconds since the epoch, here on the steady clock. */
  readonly until: number;
}

interface Leased extends BrowserLease {
  readonly browser: PooledBrowser;
}

/** Requests are looked for this often, besides whenever one is known to have come. */
const POLL_INTERVAL_MS = 1_000;
const CLAIM_TIMEOUT_MS = 5_000;
const LEASE_CHECK_MS = 500;
const HEALTH_CHECK_MS = 3_000;
/** A request for which so many hubs could not start a browser fails. */
const MAX_ATTEMPTS = 3;
/** A hub that could not be reached so often is gone, and with it the clients that waited there. A hub that lost its bus is back before that. */
const MAX_UNREACHED = 6;
const UNREACHED_DELAY_MS = 1_000;
/** How long a hub claims no request after it could not start a browser. */
const START_RETRY_DELAY_MS = 2_000;

/** The browsers of this hub: takes requests from the queue while there is room, and ends what nobody uses. */
export class BrowserPool {
  private readonly leased = new Map<string, Leased>();
  /** Browsers that start, or that are being ended. */
  private busy = 0;
  private readonly looking = new Set<string>();
  private readonly timers: NodeJS.Timeout[];
  private restUntil = 0;
  private isClosed = false;
  private readonly working = new Set<Promise<void>>();

  constructor(
    private readonly queue: WorkQueue,
    private readonly options: PoolOptions,
  ) {
    this.timers = [
      setInterval(() => this.poll(), POLL_INTERVAL_MS),
      setInterval(() => this.checkLeases(), LEASE_CHECK_MS),
      setInterval(() => void this.checkHealth(), HEALTH_CHECK_MS),
    ];
    for (const timer of this.timers) timer.unref();
    this.poll();
  }

  /** Looks for requests that this hub can serve now. */
  poll(): void {
    if (this.room() > 0) void this.pollNow().catch(() => {});
  }

  lease(sessionId: string): BrowserLease | undefined {
    const leased = this.leased.get(sessionId);
    return leased && shown(leased);
  }

  /** The browsers that clients have now. */
  sessions(): string[] {
    return [...this.leased.keys()];
  }

  /** Renews a lease; `undefined` when there is none. */
  renew(sessionId: string, leaseMs?: number): BrowserLease | undefined {
    const leased = this.leased.get(sessionId);
    if (!leased) return undefined;
    const lease = leaseOf(leaseMs ?? leased.leaseMs);
    this.leased.set(sessionId, { browser: leased.browser, ...lease });
    return shown(lease);
  }

  /** Ends a browser; false when there is none. */
  async end(sessionId: string): Promise<boolean> {
    const leased = this.leased.get(sessionId);
    if (!leased) return false;
    this.leased.delete(sessionId);
    await this.whileBusy(() => leased.browser.close());
    return true;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([...this.leased.keys()].map((id) => this.end(id)));
    await Promise.all(this.working);
  }

  private room(): number {
    const { max, minMemory, availableMemory } = this.options;
    if (this.isClosed || steadyNow() < this.restUntil) return 0;
    const used = this.leased.size + this.busy + this.looking.size;
    if (used >= max) return 0;
    // What is being started has not used its memory yet.
    const spare = availableMemory() - (this.busy + this.looking.size) * minMemory;
    return Math.min(max - used, Math.floor(spare / minMemory));
  }

  private async pollNow(): Promise<void> {
    const keys = (await this.queue.keys()).filter((key) => isFor(key, this.options.labels));
    for (const key of keys) {
      if (this.room() <= 0) return;
      if (!this.looking.has(key)) void this.claimFrom(key);
    }
  }

  /** Takes one request. Others of the same key are looked for once it is known that there was one. */
  private async claimFrom(key: string): Promise<void> {
    this.looking.add(key);
    // What is taken after all, when the bus was away meanwhile, goes to another hub, since nobody keeps it.
    const late = () => new BridgeError("timeout", "the queue did not answer");
    const item = await withDeadline(this.queue.claim(key), CLAIM_TIMEOUT_MS, late).catch(() => undefined);
    this.looking.delete(key);
    if (!item) return;
    if (this.isClosed) {
      item.giveBack();
      return;
    }
    const work = this.whileBusy(() => this.serve(item)).catch(() => {});
    this.working.add(work);
    void work.finally(() => this.working.delete(work));
    this.poll();
  }

  private async serve(item: WorkItem): Promise<void> {
    const task = readTask(item.text);
    if (!task) return item.done();
    const keeping = setInterval(() => item.keep(), WORK_MS / 4);
    try {
      const { id, hub } = task;
      const demand = await this.options.report(hub, { id, state: "starting" });
      if (demand !== "wanted") return await this.leave(item, demand);
      const browser = await this.options.start(id).catch((thrown: unknown) => this.fail(item, task, thrown));
      if (browser) await this.handOver(item, task, browser);
    } finally {
      clearInterval(keeping);
    }
  }

  /** Gives a browser to the client that waits for it. Nobody else can use it: if the client left meanwhile, it is ended. */
  private async handOver(
    item: WorkItem,
    { id, hub, leaseMs }: BrowserTask,
    browser: PooledBrowser,
  ): Promise<void> {
    this.leased.set(id, { browser, ...leaseOf(leaseMs) });
    const demand = this.isClosed ? "unknown" : await this.options.report(hub, { id, state: "ready" });
    if (demand === "wanted") return item.done();
    await this.end(id);
    await this.leave(item, demand);
  }

  /** Nobody gets a browser for this request now: another hub may reach the one where it came from. */
  private async leave(item: WorkItem, demand: Demand): Promise<void> {
    if (demand === "unwanted" || item.attempt >= MAX_UNREACHED) await item.done();
    else item.giveBack(UNREACHED_DELAY_MS);
  }

  private async fail(item: WorkItem, { id, hub }: BrowserTask, thrown: unknown): Promise<undefined> {
    this.restUntil = steadyNow() + START_RETRY_DELAY_MS;
    if (item.attempt < MAX_ATTEMPTS) {
      item.giveBack();
      return;
    }
    const message = BridgeError.from(thrown).message.slice(0, 1_000);
    await this.options.report(hub, { id, state: "failed", message });
    await item.done();
  }

  private async whileBusy<Value>(run: () => Promise<Value>): Promise<Value> {
    this.busy++;
    try {
      return await run();
    } finally {
      this.busy--;
      this.poll();
    }
  }

  private checkLeases(): void {
    for (const [id, { until }] of this.leased) if (steadyNow() > until) void this.end(id);
  }

  private async checkHealth(): Promise<void> {
    await Promise.all(
      [...this.leased].map(async ([id, { browser }]) => {
        if (!(await browser.isHealthy())) await this.end(id);
      }),
    );
  }
}

function leaseOf(leaseMs: number): BrowserLease {
  return { leaseMs, until: steadyNow() + leaseMs };
}

/** A lease as clients see it: they know the clock of the machine only. */
function shown({ leaseMs, until }: BrowserLease): BrowserLease {
  return { leaseMs, until: asWallTime(until) };
}
