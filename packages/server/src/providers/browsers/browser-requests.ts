import { randomBytes } from "node:crypto";
import { BridgeError } from "@debug-bridge/protocol";
import type { WorkQueue } from "../../bus/bus.js";
import { type Labels, queueKey } from "./labels.js";
import type { BrowserProgress, BrowserTask } from "./messages.js";

export interface BrowserRequest {
  readonly labels: Labels;
  /** How long the browser lives unless its lease is renewed. */
  readonly leaseMs: number;
  /** How long to wait for a free one. */
  readonly waitMs: number;
}

export interface StartedBrowser {
  readonly session: string;
  /** The hub that has it. */
  readonly hub: string;
  readonly leaseMs: number;
}

interface Waiting {
  resolve(hub: string): void;
  reject(error: BridgeError): void;
}

const MAX_WAITING = 1_000;

/** Requests of this hub's clients that wait in the queue until a hub has a browser for them. */
export class BrowserRequests {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly queue: WorkQueue,
    private readonly hub: string,
    /** Called after a request was put into the queue. */
    private readonly onPut: () => void,
  ) {}

  async request({ labels, leaseMs, waitMs }: BrowserRequest, signal?: AbortSignal): Promise<StartedBrowser> {
    if (this.waiting.size >= MAX_WAITING)
      throw new BridgeError(
        "rate_limit",
        `${MAX_WAITING} requests of this hub wait for a browser, which is the limit; try again later`,
      );
    const id = `browser-${randomBytes(6).toString("hex")}`;
    const task: BrowserTask = { id, hub: this.hub, leaseMs };
    let timer: NodeJS.Timeout | undefined;
    const leave = (): void => this.waiting.get(id)?.reject(new BridgeError("cancelled", "the client left"));
    const started = new Promise<string>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      timer = setTimeout(() => reject(noneFree(labels, waitMs)), waitMs);
      signal?.addEventListener("abort", leave, { once: true });
    });
    started.catch(() => {});
    try {
      await this.queue.put(queueKey(labels), JSON.stringify(task));
      this.onPut();
      return { session: id, hub: await started, leaseMs };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      this.waiting.delete(id);
    }
  }

  /** How many requests of this hub's clients wait. */
  get size(): number {
    return this.waiting.size;
  }

  /** A hub works on a request of this one. Returns whether somebody still waits for the browser. */
  report({ id, state, hub, message = "" }: BrowserProgress): boolean {
    const waiting = this.waiting.get(id);
    if (!waiting) return false;
    if (state === "starting") return true;
    this.waiting.delete(id);
    if (state === "ready") waiting.resolve(hub);
    else waiting.reject(new BridgeError("internal", `no browser could be started: ${message}`));
    return true;
  }

  close(): void {
    for (const { reject } of this.waiting.values())
      reject(new BridgeError("app_not_connected", "the hub is shutting down"));
  }
}

function noneFree(labels: Labels, waitMs: number): BridgeError {
  const wanted = queueKey(labels);
  const which = wanted === "" ? "" : ` with ${wanted}`;
  return new BridgeError(
    "timeout",
    `no browser${which} was free within ${waitMs} ms; wait longer, or start a hub with --browsers${wanted === "" ? "" : ` and --browser-label ${wanted.replaceAll(",", " --browser-label ")}`}`,
    { timeoutMs: waitMs },
  );
}
