import type { Message } from "../types.js";

/**
 * The conversation of a loop that runs in steps. The loop appends the messages of each step to its own list, and does
 * not know what a debugger injected or rewound. This class holds what is really sent to the model.
 */
export class StepConversation<One extends Message = Message> {
  private readonly own: One[] = [];
  /** Messages injected while a step runs. They follow its tool results. */
  private waiting: One[] = [];
  /** How many messages of the loop's list are in `own`. */
  private copied = 0;
  private running = false;
  private rewound = false;

  get messages(): readonly One[] {
    return [...this.own, ...this.waiting];
  }

  /** Whether there are changes that no step has used yet: injected messages, or a rewind. */
  get isChanged(): boolean {
    return this.waiting.length > 0 || this.rewound;
  }

  /** Begins a step. Messages injected while the step is held are added to the returned array. */
  begin(messages: readonly One[], stepNumber: number): One[] {
    if (stepNumber === 0) this.own.splice(0, this.own.length, ...messages);
    else if (!this.rewound) this.own.push(...messages.slice(this.copied));
    this.own.push(...this.waiting);
    this.waiting = [];
    this.copied = messages.length;
    this.running = false;
    this.rewound = false;
    return this.own;
  }

  /** The conversation with the messages of the last step. The next `begin` adds the waiting messages. */
  after(all: readonly One[]): One[] {
    return [...this.own, ...(this.rewound ? [] : all.slice(this.copied))];
  }

  /** All messages so far, including the waiting ones. */
  withStep(all: readonly One[]): One[] {
    return [...this.after(all), ...this.waiting];
  }

  /** Called when the request is sent: the model answers, then tools run. */
  markSent(): void {
    this.running = true;
  }

  inject(message: One): void {
    (this.running ? this.waiting : this.own).push(message);
  }

  /** Goes back to earlier messages. Discards what a running step still adds. */
  restore(messages: readonly One[]): void {
    this.own.splice(0, this.own.length, ...messages);
    this.waiting = [];
    this.rewound = this.running;
  }
}
