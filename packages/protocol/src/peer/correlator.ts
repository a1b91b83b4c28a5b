import { BridgeError } from "../errors.js";

export interface RequestOptions {
  /** After this many milliseconds the request fails with `timeout`; 0 waits forever. */
  readonly timeoutMs?: number;
  /** Ends the request early, with `cancelled`. */
  readonly signal?: AbortSignal;
}

interface Pending<Reply> {
  resolve(reply: Reply): void;
  reject(error: BridgeError): void;
}

/**
 * Matches replies to requests by id, for every wire that waits for replies. The relay and the socket to a Chrome have their own
 * tables: a promise would let events overtake a reply (decision 007).
 */
export class Correlator<Reply> {
  private readonly pending = new Map<string, Pending<Reply>>();
  private lostReason: string | undefined;

  get size(): number {
    return this.pending.size;
  }

  has(id: string): boolean {
    return this.pending.has(id);
  }

  /**
   * Registers `id` and returns the promise of its reply. `onGiveUp` runs when the request ends without one, by timeout
   * or cancellation, so that the peer can be asked to stop.
   */
  open(id: string, options: RequestOptions = {}, onGiveUp?: (error: BridgeError) => void): Promise<Reply> {
    if (this.lostReason !== undefined) {
      return Promise.reject(
        new BridgeError("app_not_connected", `not sent: the peer is gone (${this.lostReason})`),
      );
    }
    if (this.pending.has(id)) {
      return Promise.reject(
        new BridgeError("conflict", `request id "${id}" is already in use; choose another`),
      );
    }
    const { timeoutMs = 0, signal } = options;
    return new Promise<Reply>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const finish = (): void => {
        this.pending.delete(id);
        if (timer !== undefined) clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const giveUp = (error: BridgeError): void => {
        finish();
        onGiveUp?.(error);
        reject(error);
      };
      const abort = (): void =>
        giveUp(new BridgeError("cancelled", "the request was cancelled by its sender"));
      if (signal?.aborted) return abort();
      this.pending.set(id, {
        resolve: (reply) => {
          finish();
          resolve(reply);
        },
        reject: (error) => {
          finish();
          reject(error);
        },
      });
      signal?.addEventListener("abort", abort, { once: true });
      if (timeoutMs > 0) {
        timer = setTimeout(
          () => giveUp(new BridgeError("timeout", `no reply within ${timeoutMs} ms`, { timeoutMs })),
          timeoutMs,
        );
      }
    });
  }

  /** Delivers a reply. False when nobody waits for it. */
  settle(id: string, reply: Reply): boolean {
    const entry = this.pending.get(id);
    entry?.resolve(reply);
    return entry !== undefined;
  }

  fail(id: string, error: BridgeError): boolean {
    const entry = this.pending.get(id);
    entry?.reject(error);
    return entry !== undefined;
  }

  /**
   * The connection was lost. Whether it acted on what is pending cannot be known, so each request ends with
   * `outcome_unknown`, and later ones are refused without being sent.
   */
  lose(reason: string): void {
    this.lostReason = reason;
    for (const entry of [...this.pending.values()]) {
      entry.reject(
        new BridgeError(
          "outcome_unknown",
          `the connection was lost before the reply arrived (${reason}); the command may or may not have run. Look before you repeat, or repeat with the same idempotencyKey`,
        ),
      );
    }
  }
}
