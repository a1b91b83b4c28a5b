import { BridgeError } from "../errors.js";

/**
 * Remembers the outcome of requests by the key their sender chose, so that a request that is sent again after a lost
 * connection runs once. Bounded: the oldest key is forgotten first. What was refused with "send this again" has not run, so
 * its key is free.
 */
export class IdempotencyCache<Result> {
  private readonly outcomes = new Map<string, Promise<Result>>();

  constructor(private readonly capacity = 256) {}

  /** Runs `act` unless `key` was used before; then it returns the first outcome. Without a key it always runs. */
  run(key: string | undefined, act: () => Promise<Result>): Promise<Result> {
    if (key === undefined) return act();
    const known = this.outcomes.get(key);
    if (known) return known;
    const outcome = act();
    this.outcomes.set(key, outcome);
    outcome.catch((thrown: unknown) => {
      if (BridgeError.from(thrown).details?.retry === true) this.outcomes.delete(key);
    });
    if (this.outcomes.size > this.capacity) {
      const oldest = this.outcomes.keys().next().value;
      if (oldest !== undefined) this.outcomes.delete(oldest);
    }
    return outcome;
  }
}
