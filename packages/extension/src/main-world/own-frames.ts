import { withStackSettings } from "./location.js";
import { apply, indexOfText, matchOf, NativeError, sliceText, stackGetter } from "./natives.js";

/** Where this script itself comes from, as stacks name it. */
const OWN_URL = matchOf(/(chrome-extension:[^\s()]+?):\d+:\d+\)?$/, new NativeError().stack ?? "")?.[1];
/** More frames than we ever put between the page and the platform. */
const OUR_FRAMES = 8;

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

/** What `run` throws, as it would look without us; `undefined` where that cannot be had. */
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

/** A stack without the lines that name `url`, and with at most `limit` frames. */
function withoutFrames(stack: string, url: string, limit: number): string {
  let kept = "";
  let frames = 0;
  for (let from = 0; from <= stack.length; ) {
    const found = indexOfText(stack, "\n", from);
    const end = found === -1 ? stack.length : found;
    const line = sliceText(stack, from, end);
    const isFrame = matchOf(/^ {4}at /, line) !== null;
    if (!isFrame) kept += kept === "" ? line : `\n${line}`;
    else if (indexOfText(line, url) === -1 && frames++ < limit) kept += `\n${line}`;
    from = end + 1;
  }
  return kept;
}
