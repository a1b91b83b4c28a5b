import { CHAIN_LIMITS } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";

/** What set up a piece of code. Its place is read from the error only when somebody reports it: that costs more than keeping it. */
export interface Step {
  readonly how: string;
  readonly at: number;
  readonly error?: Error;
  readonly request?: string;
  readonly times?: number;
}

/** How code came to run: what set it up first, then what set that up, and so on. */
export type Task = readonly Step[];

/** Loops keep their beginning: what is left out of a long chain is its middle. */
const KEPT_FIRST = 6;
/** Steps besides the calls of the record itself. */
const MAX_STEPS = CHAIN_LIMITS.steps - 1;
/** How many times the queue of microtasks is followed: each time covers all that wait in it. */
const FOLLOWED = 32;
const MAX_RECENT = 20;

interface Dispatch {
  readonly event: Event;
  readonly task: Task;
  readonly serial: number;
}

/** No step takes this long by itself: the rest was taken by other programs of a busy machine, and is not ours. */
const MAX_STEP_MS = 2;

/** Knows which task the code that runs now belongs to. */
export class Tasks {
  private current: { readonly task: Task; readonly serial: number } | undefined;
  private dispatches: Dispatch[] = [];
  private serial = 0;
  /** The task of a callback that just threw: its error is reported right after it. */
  private thrown: Task | undefined;
  /** Answers that code went on after, the newest last. */
  readonly recent: { readonly task: Task; readonly at: number }[] = [];
  /** Milliseconds that keeping chains took since this was last set to 0. */
  spentMs = 0;

  constructor(
    private readonly enqueue: (run: () => void) => void,
    private readonly window: Window,
  ) {}

  /** The task that runs now; nothing between tasks, and in those that nobody follows. */
  now(): Task | undefined {
    const { current } = this;
    let dispatch = this.dispatches.at(-1);
    while (dispatch && this.isOver(dispatch.event)) {
      this.dispatches.pop();
      dispatch = this.dispatches.at(-1);
    }
    return dispatch && dispatch.serial > (current?.serial ?? 0) ? dispatch.task : current?.task;
  }

  /** An event that is over has no phase; but Chrome leaves theirs to those of the window itself, such as `load` and `resize`. */
  private isOver(event: Event): boolean {
    return event.eventPhase === 0 || (event.currentTarget === this.window && this.window.event !== event);
  }

  /** The task of an error that nobody caught. */
  ofError(): Task | undefined {
    const { thrown } = this;
    this.thrown = undefined;
    return thrown ?? this.now();
  }

  /** Something is set up by the code that runs now, to run later. */
  create(how: string, more: Partial<Step> = {}, parent = this.now()): Task {
    const startedAt = platform.now();
    const task = joined({ how, at: platform.epoch(), error: placeOfNow(), ...more }, parent ?? []);
    this.countTime(startedAt);
    return task;
  }

  /** Counts what keeping chains took from a moment on. */
  countTime(startedAt: number): void {
    this.spentMs += Math.min(platform.now() - startedAt, MAX_STEP_MS);
  }

  /** Runs a callback as a task. What it throws goes on as it is. */
  run<Result>(task: Task, callback: () => Result): Result {
    const before = this.current;
    this.current = { task, serial: ++this.serial };
    this.thrown = undefined;
    let isDone = false;
    try {
      const result = callback();
      isDone = true;
      return result;
    } finally {
      if (!isDone) this.thrown = task;
      this.current = before;
      if (!before) this.follow(task);
    }
  }

  /** An event is being dispatched: what its listeners do belongs to this task. */
  dispatch(event: Event, task: Task): void {
    const isNested = this.now() !== undefined;
    this.dispatches.push({ event, task, serial: ++this.serial });
    // When a script dispatches it, what its listeners await goes on after the script.
    if (!isNested && !event.isTrusted) this.enqueue(() => this.follow(task));
  }

  /** What goes on in the microtasks from now on belongs to this task, until they end. */
  follow(task: Task): void {
    const mine = { task, serial: ++this.serial };
    this.current = mine;
    let left = FOLLOWED;
    const next = (): void => {
      if (this.current !== mine) return;
      if (left-- > 0) this.enqueue(next);
      else this.current = undefined;
    };
    next();
  }

  /** An answer arrived; code that waited for it goes on now. */
  answer(task: Task): void {
    this.recent.push({ task, at: platform.now() });
    if (this.recent.length > MAX_RECENT) this.recent.shift();
    this.follow(task);
  }
}

/** Calls that are kept of a place: ours are among them. */
const STACK_LENGTH = 25;

/** The calls that run now. How many of them an error keeps is the app's choice, which stays. */
export function placeOfNow(): Error {
  const settings = Error as { stackTraceLimit?: number };
  const { stackTraceLimit } = settings;
  if (stackTraceLimit === undefined) return new Error();
  settings.stackTraceLimit = STACK_LENGTH;
  const error = new Error();
  settings.stackTraceLimit = stackTraceLimit;
  return error;
}

/** A step before a task, with the middle left out when it gets too long. */
export function joined(step: Step, task: Task): Task {
  const steps = [step, ...task];
  if (steps.length > MAX_STEPS) steps.splice(KEPT_FIRST, steps.length - MAX_STEPS);
  return steps;
}
