import type { BreakpointContext } from "../breakpoints/breakpoint-context.js";
import type { PauseState } from "./pause-state.js";

/** A tool call that waits at a gate. It can be cancelled while it waits. */
export interface Waiter {
  isCancelled(): boolean;
  /** Receives a function that makes the gate check again whether the call has to wait. */
  onWait(wake: () => void): void;
}

/** Holds an agent in this process while it is paused. No timer runs and no event is emitted in the meantime. */
export class Gate {
  private readonly waiting = new Set<() => void>();
  private stopNumber = 0;
  private open = false;

  /** `hold` receives whether the process has to stay alive to receive a resume command. */
  constructor(
    private readonly pauseState: PauseState,
    private readonly hold: (alive: boolean) => void,
  ) {
    pauseState.onResume = () => this.wakeAll();
  }

  /** Resolves when the agent may continue. Concurrent calls pause one after the other. */
  async pass(context: BreakpointContext, waiter?: Waiter): Promise<void> {
    const mayGo = (): boolean => this.open || (waiter?.isCancelled() ?? false);
    while (this.pauseState.paused && !mayGo()) await this.wait(waiter);
    if (mayGo()) return;
    const stop = this.pauseState.pauseAt(context);
    if (!stop) return;
    const number = ++this.stopNumber;
    const isHere = (): boolean => this.pauseState.paused && number === this.stopNumber;
    const timer =
      stop.deadlineMs === undefined
        ? undefined
        : setTimeout(() => isHere() && this.pauseState.resume("deadline"), stop.deadlineMs);
    while (isHere() && !mayGo()) await this.wait(waiter);
    // A cancelled call continues alone; the other calls still wait for the deadline.
    if (!this.pauseState.paused) clearTimeout(timer);
  }

  /** Releases all waiting calls and holds no further ones. */
  close(): void {
    this.open = true;
    this.wakeAll();
  }

  private async wait(waiter: Waiter | undefined): Promise<void> {
    this.hold(true);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
      waiter?.onWait(wake);
    });
    if (this.waiting.size === 0) this.hold(false);
  }

  private wakeAll(): void {
    for (const wake of [...this.waiting]) wake();
  }
}
