import { Breakpoints, type SavedBreakpoints } from "../breakpoints/breakpoints.js";
import type { Moment } from "../breakpoints/breakpoint-context.js";

export type Emit = (type: string, data: Record<string, unknown>) => void;

/** What the debugger itself says is no event that a breakpoint could wait for. */
const OF_DEBUGGER = new Set([
  "breakpoint_hit",
  "paused",
  "resumed",
  "step_complete",
  "command_response",
  "command_executed",
]);

/** The state of stopping and going on, as it is kept between processes. */
export interface SavedStops {
  readonly iteration: number;
  readonly paused: boolean;
  readonly asked: Asked | undefined;
  readonly stepTarget: number | undefined;
  readonly breakpoints: SavedBreakpoints;
}

/** Where a pause that was asked for takes effect: before the next call of the model, or at whatever comes next. */
interface Asked extends Stop {
  readonly anywhere: boolean;
}

/** Why the agent stopped, and when it goes on by itself. */
export interface Stop {
  readonly reason: string;
  readonly deadlineMs: number | undefined;
}

/**
 * Decides when an agent stops and when it goes on; who waits, and how, is not its matter. It emits one `paused` when
 * the agent stops and one `resumed` when it may go on.
 */
export class Stops {
  readonly breakpoints: Breakpoints;
  iteration = 0;
  paused = false;
  /** Called when the agent may go on. */
  onResume: () => void = () => {};
  private asked: Asked | undefined;
  private stepTarget: number | undefined;

  constructor(private readonly emit: Emit) {
    this.breakpoints = new Breakpoints((message) => emit("error", { message, context: "breakpoint" }));
  }

  /** Stops the agent at the next place; before the next call of the model, unless told otherwise. */
  ask(): void {
    if (!this.paused) this.asked ??= { reason: "pause", deadlineMs: undefined, anywhere: false };
  }

  /** Something happened while the agent runs: a breakpoint on it stops the agent at the next place of any kind. */
  notice(moment: Moment): void {
    const stop = this.stopAt(moment);
    if (stop && !this.paused) this.asked = { ...stop, anywhere: true };
  }

  /** The agent itself wrote an event. */
  noticeOwn(event: string, session: string, data: unknown): void {
    if (this.breakpoints.watchEvents && !OF_DEBUGGER.has(event))
      this.notice({ at: "event", iteration: this.iteration, event, session, data });
  }

  /** Lets the agent go on, or takes back a pause that it has not come to; tells whether it was paused. */
  resume(reason = "resume"): boolean {
    this.asked = undefined;
    if (!this.paused) return false;
    this.paused = false;
    this.emit("resumed", { reason, iteration: this.iteration });
    this.onResume();
    return true;
  }

  /** Lets the agent finish this iteration, or run one if it has none, and stops it before the next. */
  step(): void {
    this.stepTarget = Math.max(this.iteration, 1);
    this.resume("step");
  }

  /** The agent comes to a place where it can stop. When it does, this says why. */
  arrive(...moments: readonly Moment[]): Stop | undefined {
    let stop = this.finishStep(moments);
    for (const moment of moments) {
      const here = this.stopAt(moment);
      stop ??= here;
    }
    const { asked } = this;
    if (!stop && asked && (asked.anywhere || moments.some(({ at }) => at === "model")))
      stop = { reason: asked.reason, deadlineMs: asked.deadlineMs };
    if (!stop) return undefined;
    this.asked = undefined;
    this.paused = true;
    this.emit("paused", { reason: stop.reason, iteration: this.iteration });
    return stop;
  }

  /** The run is over: a step that was under way is complete. */
  finish(): void {
    if (this.stepTarget !== undefined && this.iteration >= this.stepTarget)
      this.emit("step_complete", { iteration: this.iteration });
    this.stepTarget = undefined;
  }

  save(): SavedStops {
    const { iteration, paused, asked, stepTarget } = this;
    return { iteration, paused, asked, stepTarget, breakpoints: this.breakpoints.save() };
  }

  restore(saved: SavedStops): void {
    this.iteration = saved.iteration;
    this.paused = saved.paused;
    this.asked = saved.asked;
    this.stepTarget = saved.stepTarget;
    this.breakpoints.restore(saved.breakpoints);
  }

  private finishStep(moments: readonly Moment[]): Stop | undefined {
    const target = this.stepTarget;
    if (target === undefined || !moments.some(({ at, iteration }) => at === "model" && iteration > target))
      return undefined;
    this.stepTarget = undefined;
    this.emit("step_complete", { iteration: this.iteration - 1 });
    return { reason: "step", deadlineMs: undefined };
  }

  private stopAt(moment: Moment): Stop | undefined {
    const hit = this.breakpoints.hit(moment);
    if (!hit) return undefined;
    const { at, iteration, ...what } = moment;
    this.emit("breakpoint_hit", {
      breakpoint: hit.breakpoint,
      ...(at === "tool" ? { toolCall: what } : what),
      iteration,
    });
    return { reason: `breakpoint ${hit.breakpoint.id}`, deadlineMs: hit.deadlineMs };
  }
}
