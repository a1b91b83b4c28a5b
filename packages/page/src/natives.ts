/**
 * The platform as it was when this module loaded. Apps replace globals (test doubles, polyfills, other debuggers), and
 * what they put there must neither break the engine nor see its traffic.
 */
const globals = globalThis as typeof globalThis & {
  requestIdleCallback?: typeof requestIdleCallback;
};

const { JSON: json, Date: date } = globals;
const { apply } = globals.Reflect;
const { stringify, parse } = json;
const { now: epochNow } = date;
const { random } = globals.Math;
const clock: Performance | undefined = globals.performance;
const clockNow = clock?.now;

/** Bound, because most of these refuse to run on another `this`. */
function saved<Fn extends (...args: never[]) => unknown>(fn: Fn | undefined): Fn {
  return (fn ? fn.bind(globals) : () => undefined) as Fn;
}

/**
 * Where a second script of ours finds what the first one saved: by the time it loads, the app may have replaced
 * everything.
 */
export const HANDED_OVER = Symbol.for("debug-bridge.natives");

export type Natives = typeof own;

const own = {
  stringify: (value: unknown): string => stringify(value) ?? "undefined",
  parse: (text: string): unknown => parse(text),
  random: (): number => random(),
  epoch: (): number => apply(epochNow, date, []),
  now: (): number => apply(clockNow ?? epochNow, clock ?? date, []),
  setTimeout: saved(globals.setTimeout) as (run: () => void, ms: number) => number,
  clearTimeout: saved(globals.clearTimeout) as (timer: number | undefined) => void,
  requestAnimationFrame: saved(globals.requestAnimationFrame) as (run: () => void) => number,
  requestIdleCallback: saved(
    globals.requestIdleCallback ??
      ((run: IdleRequestCallback) =>
        globals.setTimeout(() => run({ didTimeout: true, timeRemaining: () => 8 }), 1) as unknown as number),
  ),
  MutationObserver: globals.MutationObserver,
  WebSocket: globals.WebSocket,
} as const;

export const natives: Natives =
  (globals as unknown as Record<symbol, Natives | undefined>)[HANDED_OVER] ?? own;
