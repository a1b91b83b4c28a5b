import type { Moment } from "../breakpoints/breakpoint-context.js";
import type { Stops } from "./pause-state.js";

/** Who passes a gate: a tool call can be cancelled while it waits. */
export interface Passer {
  isCancelled(): boolean;
  /** Is given what makes it look again at whether it has to wait. */
  onWait(wake: () => void): void;
}

/** Holds an agent in this process while it is paused. Nothing runs meanwhile: no timer, no event. */
export class Gate {
  private readonly waiting = new Set<() => void>();
  private stopNumber = 0;
  private open = false;

  /** `hold` is told whether the process has to stay alive for the one who resumes. */
  constructor(
    private readonly stops: Stops,
    private readonly hold: (alive: boolean) => void,
  ) {
    stops.onResume = () => this.wakeAll();
  }

  /** Resolves when the agent may go on. Of several that come at once, each stops in its turn. */
  async pass(moment: Moment, passer?: Passer): Promise<void> {
    const mayGo = (): boolean => this.open || (passer?.isCancelled() ?? false);
    while (this.stops.paused && !mayGo()) await this.wait(passer);
    if (mayGo()) return;
    const stop = this.stops.arrive(moment);
    if (!stop) return;
    const number = ++this.stopNumber;
    const isHere = (): boolean => this.stops.paused && number === this.stopNumber;
    const timer =
      stop.deadlineMs === undefined
        ? undefined
        : setTimeout(() => isHere() && this.stops.resume("deadline"), stop.deadlineMs);
    while (isHere() && !mayGo()) await this.wait(passer);
    // A call that was cancelled leaves; the others still wait for the deadline.
    if (!this.stops.paused) clearTimeout(timer);
  }

  /** Lets everyone through, now and later. */
  close(): void {
    this.open = true;
    this.wakeAll();
  }

  private async wait(passer: Passer | undefined): Promise<void> {
    this.hold(true);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
      passer?.onWait(wake);
    });
    if (this.waiting.size === 0) this.hold(false);
  }

  private wakeAll(): void {
    for (const wake of [...this.waiting]) wake();
  }
}
