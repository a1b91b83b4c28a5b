import { BridgeError } from "@debug-bridge/protocol";
import { asWallTime } from "../bounds/steady-clock.js";

const DEFAULT_TTL_MS = 60_000;

export interface LeaseState {
  readonly holder: string;
  readonly owner: string;
  readonly until: number;
}

/** The right of one client to act on a session. Without a lease anyone may act. Pure: the time is passed in. */
export class Lease {
  private state: LeaseState | undefined;

  /** Who holds the lease now. */
  current(now: number): LeaseState | undefined {
    if (this.state && this.state.until <= now) this.state = undefined;
    return this.state;
  }

  /** Takes or renews the lease; throws `lease_held` when another client has it. */
  acquire(holder: string, owner: string, now: number, ttlMs = DEFAULT_TTL_MS): LeaseState {
    const refusal = this.refusal(holder, now);
    if (refusal) throw refusal;
    this.state = { holder, owner, until: now + ttlMs };
    return this.state;
  }

  release(holder: string): void {
    if (this.state?.holder === holder) this.state = undefined;
  }

  /** `lease_held` when another client has the right to act. */
  refusal(client: string, now: number): BridgeError | undefined {
    const held = this.current(now);
    if (!held || held.holder === client) return undefined;
    const until = asWallTime(held.until, now);
    return new BridgeError(
      "lease_held",
      `${held.owner} has the right to act here until ${new Date(until).toISOString()}; only look until then, or wait`,
      { owner: held.owner, until },
    );
  }
}
