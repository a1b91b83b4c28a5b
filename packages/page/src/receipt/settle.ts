import type { Settle } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
import type { DomWatch } from "../view/watch.js";
import type { Activity } from "./activity.js";
import { nextFrame, sleep } from "./idle.js";

const DEFAULT_MAX_MS = 3_000;
/** Two frames at 60 a second, where frames do not run. */
const HIDDEN_QUIET_MS = 34;

/** Longer than a frame takes. */
const MIN_QUIET_MS = 17;
/** A busy browser makes up for late frames with two in a row, which count as one. */
const MIN_FRAME_MS = 6;

export interface SettleContext {
  readonly page: Document;
  readonly watch: DomWatch;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Resolves when everything that happened so far is known to `activity`. */
  readonly caughtUp?: (() => Promise<void>) | undefined;
  /** Whether an image loads that did not before the action; no hook reports its request. */
  readonly loadsImage?: () => boolean;
}

/**
 * Waits until the page is quiet: two frames without a mutation, and no request in flight that began since `since`.
 * False when it still moved at the end of the time, or when the document is being left.
 */
export async function settle(
  context: SettleContext,
  since: number,
  wish: Settle,
  requestsSince = since,
): Promise<boolean> {
  if (wish === false) return false;
  const { page, watch, activity, signal } = context;
  const quietMs = wish?.quietMs;
  const ends = since + (wish?.maxMs ?? DEFAULT_MAX_MS);
  let quietFrames = 0;
  let frameAt = Number.NEGATIVE_INFINITY;
  watch.flush();
  let quietSince = quietMs === undefined ? Math.max(since, watch.lastChange) : platform.now();
  for (;;) {
    const before = watch.lastChange;
    await tickOrLeaving(context, quietMs);
    watch.flush();
    const now = platform.now();
    if (activity.leaving !== undefined || signal.aborted) return false;
    const moved =
      watch.lastChange !== before || activity.inFlight(requestsSince) > 0 || context.loadsImage?.();
    if (moved) {
      quietFrames = 0;
      quietSince = now;
    } else if (now - frameAt >= MIN_FRAME_MS) quietFrames++;
    frameAt = now;
    const quiet =
      quietMs !== undefined
        ? now - quietSince >= quietMs
        : page.hidden
          ? now - quietSince >= HIDDEN_QUIET_MS
          : quietFrames >= 2 && now - quietSince >= MIN_QUIET_MS;
    if (now >= ends && !quiet) return false;
    if (!quiet) continue;
    await context.caughtUp?.();
    if (activity.inFlight(requestsSince) === 0) return true;
    quietFrames = 0;
    quietSince = platform.now();
  }
}

/** A page that is being left may have no frame: everyone who waits for it gets an answer at once. */
function tickOrLeaving({ page, activity }: SettleContext, quietMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      resolve();
    };
    const stop = activity.listen(() => activity.leaving !== undefined && done());
    tick(page, quietMs).then(done);
  });
}

function tick(page: Document, quietMs: number | undefined): Promise<void> {
  return quietMs !== undefined && quietMs < 16 ? sleep(quietMs) : nextFrame(page.hidden);
}
