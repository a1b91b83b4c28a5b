import type { Message } from "../types.js";

/**
 * The conversation of a loop that runs in steps. The loop has one list, which grows at its end by what each step brings,
 * and knows nothing of what a debugger added to it or took back; so what the model is really sent is kept here.
 */
export class StepConversation<One extends Message = Message> {
  private readonly own: One[] = [];
  /** Injected while a step runs: they come after its tool results. */
  private waiting: One[] = [];
  /** How many messages of the loop's list are in `own`. */
  private taken = 0;
  private running = false;
  private wentBack = false;

  get messages(): readonly One[] {
    return [...this.own, ...this.waiting];
  }

  /** Whether something was changed that no step has taken up: messages were injected, or the run was taken back. */
  get isChanged(): boolean {
    return this.waiting.length > 0 || this.wentBack;
  }

  /** A step is about to begin. The array that it returns is the one that is changed while the step is held. */
  begin(messages: readonly One[], stepNumber: number): One[] {
    if (stepNumber === 0) this.own.splice(0, this.own.length, ...messages);
    else if (!this.wentBack) this.own.push(...messages.slice(this.taken));
    this.own.push(...this.waiting);
    this.waiting = [];
    this.taken = messages.length;
    this.running = false;
    this.wentBack = false;
    return this.own;
  }

  /** The conversation with what the last step brought; what waits is added by the next begin. */
  after(all: readonly One[]): One[] {
    return [...this.own, ...(this.wentBack ? [] : all.slice(this.taken))];
  }

  /** All that there is by now, of a loop whose list this is. */
  withStep(all: readonly One[]): One[] {
    return [...this.after(all), ...this.waiting];
  }

  /** The step is under way: the model is asked, then tools run. */
  sent(): void {
    this.running = true;
  }

  inject(message: One): void {
    (this.running ? this.waiting : this.own).push(message);
  }

  /** Goes back to earlier messages; what a running step still yields does not count. */
  restore(messages: readonly One[]): void {
    this.own.splice(0, this.own.length, ...messages);
    this.waiting = [];
    this.wentBack = this.running;
  }
}
