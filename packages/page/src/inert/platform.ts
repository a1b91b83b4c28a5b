import { epochNow, now, parse, stringify } from "./natives.js";
import { handedOver, PLATFORM_HANDOVER } from "./platform-handover.js";

/**
 * What the engine uses of the platform, as it was when this module loaded. Apps replace globals (test doubles, polyfills, other debuggers), and
 * what they put there must neither break the engine nor see its traffic.
 */
const globals = globalThis as typeof globalThis & {
  requestIdleCallback?: typeof requestIdleCallback;
};

/** Bound, because most of these refuse to run on another `this`. */
function saved<Fn extends (...args: never[]) => unknown>(fn: Fn | undefined): Fn {
  return (fn ? fn.bind(globals) : () => undefined) as Fn;
}

export type Platform = typeof own;

const own = {
  stringify: (value: unknown): string => stringify(value) ?? "undefined",
  parse: parse as (text: string) => unknown,
  random: globals.Math.random,
  epoch: epochNow,
  now,
  setTimeout: saved(globals.setTimeout) as (run: () => void, ms: number) => number,
  clearTimeout: saved(globals.clearTimeout) as (timer: number | undefined) => void,
  requestAnimationFrame: saved(globals.requestAnimationFrame) as (run: () => void) => number,
  requestIdleCallback: saved(
    globals.requestIdleCallback ??
      ((run: IdleRequestCallback) =>
        // Nobody asks how much time remains of what is overdue.
        globals.setTimeout(() => run({ didTimeout: true } as IdleDeadline), 1) as unknown as number),
  ),
  MutationObserver: globals.MutationObserver,
  WebSocket: globals.WebSocket,
  /** Not bound: call it as a plain function. */
  fetch: globals.fetch,
} as const;

export { PLATFORM_HANDOVER };
export const platform: Platform = handedOver ?? own;
