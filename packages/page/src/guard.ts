import { platform } from "./inert/platform.js";

/** What the engine cost the page since it was last asked. */
export interface Cost {
  readonly ms: number;
  readonly bytesDropped: number;
  readonly failures: number;
}

/**
 * Runs the engine's own code so that it never throws into the app, and measures the time that it takes.
 *
 * @example document.addEventListener("click", guard.wrap((event) => record(event)), true);
 */
export class Guard {
  private ms = 0;
  private dropped = 0;
  private failed = 0;
  private depth = 0;

  wrap<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      this.run(() => run(...args));
    };
  }

  /** The value of `run`, or `undefined` when it threw. */
  run<Value>(run: () => Value): Value | undefined {
    const started = platform.now();
    this.depth++;
    try {
      return run();
    } catch {
      this.failed++;
      return undefined;
    } finally {
      // Only the outermost call counts, or nested time would be counted twice.
      if (--this.depth === 0) this.ms += platform.now() - started;
    }
  }

  drop(bytes: number): void {
    this.dropped += bytes;
  }

  drainCost(): Cost {
    const cost = { ms: this.ms, bytesDropped: this.dropped, failures: this.failed };
    this.ms = 0;
    this.dropped = 0;
    this.failed = 0;
    return cost;
  }
}
