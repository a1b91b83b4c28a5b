import type { ModelMessage } from "ai";

/**
 * The conversation of a loop that the AI SDK runs. The SDK hands the same list to every step, grown at its end, and
 * knows nothing of what a debugger added to it or took back; so what the model is really sent is kept here.
 */
export class StepConversation {
  private readonly own: ModelMessage[] = [];
  /** Injected while a step runs: they come after its tool results. */
  private waiting: ModelMessage[] = [];
  /** How many messages of the SDK's list are in `own`. */
  private taken = 0;
  private running = false;
  private wentBack = false;

  get messages(): readonly ModelMessage[] {
    return [...this.own, ...this.waiting];
  }

  /** Whether something was changed that no step has taken up: messages were injected, or the run was taken back. */
  get isChanged(): boolean {
    return this.waiting.length > 0 || this.wentBack;
  }

  /** A step is about to begin. The array that it returns is the one that is changed while the step is held. */
  begin(messages: readonly ModelMessage[], stepNumber: number): ModelMessage[] {
    if (stepNumber === 0) this.own.splice(0, this.own.length, ...messages);
    else if (!this.wentBack) this.own.push(...messages.slice(this.taken));
    this.own.push(...this.waiting);
    this.waiting = [];
    this.taken = messages.length;
    this.running = false;
    this.wentBack = false;
    return this.own;
  }

  /** The conversation with what the last step brought, for a further call of the SDK; what waits is added by its begin. */
  after(all: readonly ModelMessage[]): ModelMessage[] {
    return [...this.own, ...(this.wentBack ? [] : all.slice(this.taken))];
  }

  /** The step is under way: the model is asked, then tools run. */
  sent(): void {
    this.running = true;
  }

  inject(message: ModelMessage): void {
    (this.running ? this.waiting : this.own).push(message);
  }

  /** Goes back to earlier messages; what a running step still yields does not count. */
  restore(messages: readonly ModelMessage[]): void {
    this.own.splice(0, this.own.length, ...messages);
    this.waiting = [];
    this.wentBack = this.running;
  }
}
