import type { BreakpointContext } from "../breakpoints/breakpoint-context.js";
import { Breakpoints, type SavedBreakpoints } from "../breakpoints/breakpoints.js";

export type Emit = (type: string, data: Record<string, unknown>) => void;

/** Events that the debugger itself emits. Breakpoints do not match them. */
const DEBUGGER_EVENTS = new Set([
  "breakpoint_hit",
  "paused",
  "resumed",
  "step_complete",
  "command_response",
  "command_executed",
]);

/** The pause state as it is saved between processes. */
export interface SavedPauseState {
  readonly iteration: number;
  readonly paused: boolean;
  readonly pauseReason?: string | undefined;
  readonly requested: PauseRequest | undefined;
  readonly stepTarget: number | undefined;
  readonly breakpoints: SavedBreakpoints;
}

/** A pause that was requested. It takes effect before the next model call, or `anywhere`: at the next call of any kind. */
interface PauseRequest extends Stop {
  readonly anywhere: boolean;
}

/** Why the agent paused, and after how long it resumes automatically. */
export interface Stop {
  readonly reason: string;
  readonly deadlineMs: number | undefined;
}

/**
 * Decides when an agent pauses and when it resumes. It does not wait itself: `Gate` does that in this process, and
 * `passHookGate` in a hook. It emits one `paused` event per pause and one `resumed` event per resume.
 */
export class PauseState {
  readonly breakpoints: Breakpoints;
  iteration = 0;
  paused = false;
  /** Why the agent is paused, or was last. */
  pauseReason: string | undefined;
  /** Whether the agent is before a model call, with the number of that iteration. */
  isBeforeModel = false;
  /** Called when the agent resumes. */
  onResume: () => void = () => {};
  private requested: PauseRequest | undefined;
  private stepTarget: number | undefined;

  constructor(private readonly emit: Emit) {
    this.breakpoints = new Breakpoints((message) => emit("error", { message, context: "breakpoint" }));
  }

  /** Requests a pause before the next model call. */
  requestPause(): void {
    if (!this.paused) this.requested ??= { reason: "pause", deadlineMs: undefined, anywhere: false };
  }

  /** Checks an event against the breakpoints. If one matches, the agent pauses at its next call of any kind. */
  onEvent(context: BreakpointContext): void {
    const stop = this.stopAt(context);
    if (stop && !this.paused) this.requested = { ...stop, anywhere: true };
  }

  /** Checks an event of this agent against the breakpoints. */
  onOwnEvent(event: string, session: string, data: unknown): void {
    if (this.breakpoints.waitsForEvents && !DEBUGGER_EVENTS.has(event))
      this.onEvent({ at: "event", iteration: this.iteration, event, session, data });
  }

  /** Whether nothing can stop the agent: it is not paused, will not be, and has no breakpoint that is enabled. */
  get isIdle(): boolean {
    const { paused, requested, stepTarget } = this;
    return !paused && requested === undefined && stepTarget === undefined && !this.breakpoints.anyEnabled;
  }

  /** Resumes the agent, or cancels a requested pause. Returns whether the agent was paused. */
  resume(reason = "resume"): boolean {
    this.requested = undefined;
    if (!this.paused) return false;
    this.paused = false;
    this.emit("resumed", { reason, iteration: this.iteration });
    this.onResume();
    return true;
  }

  /** Goes back to the beginning of an iteration. The next model call counts up, unless the agent is before one. */
  rewindTo(iteration: number): void {
    this.iteration = this.isBeforeModel ? Math.max(1, iteration) : Math.max(0, iteration - 1);
  }

  /** Runs to the end of the current iteration, or of the first one, and pauses before the next. */
  step(): void {
    this.stepTarget = Math.max(this.iteration, 1);
    this.resume("step");
  }

  /** Called where the agent can pause. If it pauses, the result is the reason. */
  pauseAt(...contexts: readonly BreakpointContext[]): Stop | undefined {
    let stop = this.finishStep(contexts);
    for (const context of contexts) {
      const here = this.stopAt(context);
      stop ??= here;
    }
    const { requested } = this;
    if (!stop && requested && (requested.anywhere || contexts.some(({ at }) => at === "model")))
      stop = { reason: requested.reason, deadlineMs: requested.deadlineMs };
    if (!stop) return undefined;
    this.requested = undefined;
    this.paused = true;
    this.pauseReason = stop.reason;
    this.emit("paused", { reason: stop.reason, iteration: this.iteration });
    return stop;
  }

  /** Called at the end of the run: completes a step in progress. */
  finish(): void {
    if (this.stepTarget !== undefined && this.iteration >= this.stepTarget)
      this.emit("step_complete", { iteration: this.iteration });
    this.stepTarget = undefined;
  }

  save(): SavedPauseState {
    const { iteration, paused, pauseReason, requested, stepTarget } = this;
    return { iteration, paused, pauseReason, requested, stepTarget, breakpoints: this.breakpoints.save() };
  }

  restore(saved: SavedPauseState): void {
    this.iteration = saved.iteration;
    this.paused = saved.paused;
    this.pauseReason = saved.pauseReason;
    this.requested = saved.requested;
    this.stepTarget = saved.stepTarget;
    this.breakpoints.restore(saved.breakpoints);
  }

  private finishStep(contexts: readonly BreakpointContext[]): Stop | undefined {
    const target = this.stepTarget;
    if (target === undefined || !contexts.some(({ at, iteration }) => at === "model" && iteration > target))
      return undefined;
    this.stepTarget = undefined;
    this.emit("step_complete", { iteration: this.iteration - 1 });
    return { reason: "step", deadlineMs: undefined };
  }

  private stopAt(context: BreakpointContext): Stop | undefined {
    const hit = this.breakpoints.hit(context);
    if (!hit) return undefined;
    const { at, iteration, ...what } = context;
    this.emit("breakpoint_hit", {
      breakpoint: hit.breakpoint,
      ...(at === "tool" ? { toolCall: what } : what),
      iteration,
    });
    return { reason: `breakpoint ${hit.breakpoint.id}`, deadlineMs: hit.deadlineMs };
  }
}
