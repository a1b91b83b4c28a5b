import type { LoopState } from "@debug-bridge/protocol";

/** What one action left behind, for the count. */
export interface ActionOutcome {
  readonly type: string;
  readonly success: boolean;
  readonly jsErrors: number;
  readonly networkErrors: number;
}

export interface Limits {
  readonly maxConsecutiveErrors: number;
  readonly totalErrorThreshold: number;
}

/** Counts errors over the life of a browser, and reports when there are too many. */
export class Tally {
  private consecutive = 0;
  private jsErrors = 0;
  private networkErrors = 0;
  private failed = 0;
  private actions = 0;
  private last: LoopState["lastAction"];
  private readonly started: number;

  constructor(private readonly now: () => number = Date.now) {
    this.started = now();
  }

  record({ type, success, jsErrors, networkErrors }: ActionOutcome): void {
    this.actions++;
    this.jsErrors += jsErrors;
    this.networkErrors += networkErrors;
    if (success) this.consecutive = 0;
    else {
      this.consecutive++;
      this.failed++;
    }
    this.last = { type, success, at: new Date(this.now()).toISOString() };
  }

  get state(): LoopState {
    return {
      totalErrors: this.jsErrors + this.networkErrors + this.failed,
      consecutiveErrors: this.consecutive,
      jsErrors: this.jsErrors,
      networkErrors: this.networkErrors,
      failedActions: this.failed,
      actions: this.actions,
      sessionDurationMs: this.now() - this.started,
      ...(this.last ? { lastAction: this.last } : {}),
    };
  }

  /** Why the browser must be shut down now, if it must. */
  tooMany(limits: Limits): string | undefined {
    const { consecutiveErrors, totalErrors, jsErrors, networkErrors, failedActions } = this.state;
    if (consecutiveErrors >= limits.maxConsecutiveErrors) {
      return `${consecutiveErrors} actions failed in a row (maxConsecutiveErrors is ${limits.maxConsecutiveErrors})`;
    }
    if (totalErrors >= limits.totalErrorThreshold) {
      return `${totalErrors} errors in all (${jsErrors} JavaScript, ${networkErrors} network, ${failedActions} failed actions; totalErrorThreshold is ${limits.totalErrorThreshold})`;
    }
    return undefined;
  }
}
