import { BridgeError } from "@debug-bridge/protocol";

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

  acquire(holder: string, owner: string, now: number, ttlMs = DEFAULT_TTL_MS): LeaseState {
    this.assertMayAct(holder, now);
    this.state = { holder, owner, until: now + ttlMs };
    return this.state;
  }

  release(holder: string): void {
    if (this.state?.holder === holder) this.state = undefined;
  }

  /** Throws `lease_held` when another client has the right to act. */
  assertMayAct(holder: string, now: number): void {
    const held = this.current(now);
    if (!held || held.holder === holder) return;
    throw new BridgeError(
      "lease_held",
      `${held.owner} has the right to act here until ${new Date(held.until).toISOString()}; look meanwhile, or wait`,
      { owner: held.owner, until: held.until },
    );
  }
}
