import { CONSOLE_LIMITS, CONSOLE_METHODS, type ConsoleMethod } from "@debug-bridge/protocol";
import type { Channel } from "./channel.js";
import { ConsoleState } from "./console-state.js";
import { disguise } from "./disguise.js";
import { newJob } from "./job.js";
import { callerLocation, callerStack } from "./location.js";
import { apply, epochNow } from "./natives.js";
import { RateGate } from "./rate.js";
import { serialize } from "./serialize.js";
import { cut, quote } from "./text.js";

/** What an event says beside its arguments. All members are always there: a missing one would be the prototype's. */
interface Extra {
  readonly location: string | undefined;
  readonly stack: string | undefined;
  /** `undefined` where it is not known. */
  readonly groupDepth: number | undefined;
  readonly uncaught: "error" | "rejection" | undefined;
}

const MOST_ARGS = CONSOLE_LIMITS.args;

/** Turns what happens in the page into events, unless there are too many. */
export class Reporter {
  private readonly gate = new RateGate();
  private busy = false;
  private stopped = false;

  constructor(private readonly channel: Channel) {
    this.gate.onDropping = () => channel.sayDropping();
    channel.onCount = () => this.gate.takeDropped();
    channel.onStop = () => {
      this.stopped = true;
    };
  }

  /** Whether an event may be sent now; it is counted. Asked first, so that a flood costs next to nothing. */
  accepts(urgent: boolean): boolean {
    return !this.stopped && this.gate.passes(urgent);
  }

  /** Sends what `describe` gives. Nothing that goes wrong in it reaches the page. */
  report(urgent: boolean, describe: () => string | undefined): void {
    // What a trap of the page logs while we look at its proxy was never logged without us.
    if (this.busy) return;
    this.busy = true;
    try {
      const at = epochNow();
      const payload = describe();
      if (payload !== undefined) this.channel.send(`${urgent ? 1 : 0}${at}${payload}`);
    } catch {
      // Nothing may reach the page.
    }
    this.busy = false;
  }
}

/** One event, as the JSON text of its payload. */
export function payloadText(method: ConsoleMethod, args: readonly unknown[], extra: Extra): string {
  const job = newJob();
  let text = `{"method":"${method}","args":[`;
  const shown = args.length > MOST_ARGS ? MOST_ARGS - 1 : args.length;
  for (let i = 0; i < shown; i++) text += `${i === 0 ? "" : ","}${serialize(args[i], job)}`;
  if (args.length > shown) text += `,{"type":"string","value":"… [${args.length - shown} more arguments]"}`;
  text += "]";
  if (extra.location) text += `,"location":${extra.location}`;
  if (extra.stack) text += `,"stack":${quote(cut(extra.stack, CONSOLE_LIMITS.stringBytes))}`;
  if (extra.groupDepth !== undefined) text += `,"groupDepth":${extra.groupDepth}`;
  if (extra.uncaught) text += `,"uncaught":"${extra.uncaught}"`;
  return `${text}}`;
}

/** Reports every call of a console method, and lets the console do its work. */
export function hookConsole(target: Console, reporter: Reporter): void {
  const state = new ConsoleState();
  for (const method of CONSOLE_METHODS) {
    const urgent = method === "error" || method === "warn" || method === "assert";
    const call = (original: (...args: unknown[]) => unknown, self: unknown, args: unknown[]): unknown => {
      if (method === "assert" && args[0]) return apply(original, self, args);
      try {
        if (!reporter.accepts(urgent)) state.note(method, args);
        else {
          reporter.report(urgent, () => {
            const printed = state.print(method, args);
            if (printed === undefined) return undefined;
            return payloadText(method, printed.args, {
              location: callerLocation(call),
              stack: method === "trace" ? callerStack(call) : undefined,
              groupDepth: printed.groupDepth,
              uncaught: undefined,
            });
          });
        }
      } catch {
        // At the end of the stack we have no room, where the console still may have some.
      }
      return apply(original, self, args);
    };
    disguise(target, method, call);
  }
}
