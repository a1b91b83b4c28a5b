import { apply, indexOfText, NativeError, stackGetter } from "@debug-bridge/page/inert";
import { firstPlace, withoutFrames } from "./frames.js";
import { withStackSettings } from "./location.js";

/** Where this script itself comes from, as stacks name it. */
const OWN_URL = firstPlace(new NativeError().stack ?? "")?.url;
/** More frames than we ever put between the page and the platform. */
const OUR_FRAMES = 8;
const EVERY_FRAME = 1_000_000;

/** Whether an address is that of this script. */
export const isOurs = (url: string): boolean => url === OWN_URL;

/** A stack without our frames: an endless recursion that logs can end in one of them. */
export function withoutOurs(stack: string): string {
  if (OWN_URL === undefined || indexOfText(stack, OWN_URL) === -1) return stack;
  return withoutFrames(stack, OWN_URL, EVERY_FRAME);
}

/**
 * Runs a function of the platform that calls nothing of the page. When it throws, the error's stack is what it would be
 * without us: it is made once more, with room for our frames, and those are taken out.
 */
export function asIfAlone<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    throw again(run) ?? thrown;
  }
}

/** What `run` throws, as it would look without us; `undefined` if that is not available. */
export function again(run: () => unknown): unknown {
  if (OWN_URL === undefined || stackGetter === undefined) return undefined;
  const own = OWN_URL;
  const getter = stackGetter;
  return withStackSettings(
    (limit) => limit + OUR_FRAMES,
    (limit) => {
      try {
        run();
      } catch (thrown) {
        const stack: unknown = apply(getter, thrown, []);
        if (typeof stack === "string") (thrown as Error).stack = withoutFrames(stack, own, limit);
        return thrown;
      }
      return undefined;
    },
  );
}
