import {
  apply,
  currentCallId,
  cut,
  defaultCensor,
  epochNow,
  quote,
  type SerializeOptions,
  serializeArguments,
  world,
} from "@debug-bridge/page/inert";
import { CONSOLE_LIMITS, CONSOLE_METHODS, type ConsoleMethod } from "@debug-bridge/protocol";
import type { Channel } from "./channel.js";
import { ConsoleState } from "./console-state.js";
import { callerLocation, callerStack } from "./location.js";
import { standIn } from "./native-stand-in.js";
import { withoutOurs } from "./own-frames.js";
import { targetOf } from "./proxies.js";
import { RateGate } from "./rate.js";

/** What an event has besides its arguments. All members are always set: a missing one would be the prototype's. */
interface Extra {
  readonly location: string | undefined;
  readonly stack: string | undefined;
  /** `undefined` where it is not known. */
  readonly groupDepth: number | undefined;
  readonly uncaught: "error" | "rejection" | undefined;
  /** The name that the SDK in the page gave to the same call. */
  readonly callId: string | undefined;
}

const SERIALIZE: SerializeOptions = { censor: defaultCensor, targetOf, cleanStack: withoutOurs };

/** Turns what happens in the page into events, unless there are too many. */
export class Reporter {
  private readonly gate = new RateGate();
  private busy = false;
  private stopped = false;

  constructor(private readonly channel: Channel) {
    this.gate.onDropping = () => channel.reportDropping();
    channel.onCount = () => this.gate.drainDropped();
    channel.onStop = () => {
      this.stopped = true;
    };
  }

  /** Whether an event may be sent now; it is counted. Called first, so that a flood costs almost nothing. */
  accepts(urgent: boolean): boolean {
    return !this.stopped && this.gate.passes(urgent);
  }

  /** Sends what `describe` returns. No error in it reaches the page. */
  report(urgent: boolean, describe: () => string | undefined): void {
    // A trap that logs because we read its proxy would not have logged without us.
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
  let text = `{"method":"${method}","args":${serializeArguments(args, SERIALIZE, method === "assert" ? 1 : 0)}`;
  if (extra.location) text += `,"location":${extra.location}`;
  if (extra.stack) text += `,"stack":${quote(cut(extra.stack, CONSOLE_LIMITS.stringBytes))}`;
  if (extra.groupDepth !== undefined) text += `,"groupDepth":${extra.groupDepth}`;
  if (extra.callId !== undefined) text += `,"callId":${quote(extra.callId)}`;
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
        if (!reporter.accepts(urgent)) state.track(method, args);
        else {
          reporter.report(urgent, () => {
            const printed = state.print(method, args);
            if (printed === undefined) return undefined;
            return payloadText(method, printed.args, {
              location: callerLocation(call),
              stack: method === "trace" ? callerStack(call) : undefined,
              groupDepth: printed.groupDepth,
              uncaught: undefined,
              callId: currentCallId(world),
            });
          });
        }
      } catch {
        // At the end of the stack we have no room, where the console still may have some.
      }
      return apply(original, self, args);
    };
    standIn(target, method, call);
  }
}
