import { platform } from "../inert/platform.js";

/** Runs `work` when the page is idle, at the latest after `timeoutMs`. */
export function whenIdle(work: (deadline: IdleDeadline) => void, timeoutMs: number): void {
  platform.requestIdleCallback(work, { timeout: timeoutMs });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => platform.setTimeout(resolve, ms));
}

/** The next frame, or a frame's time later where frames do not run. */
export function nextFrame(hidden: boolean): Promise<void> {
  if (hidden) return sleep(16);
  return new Promise((resolve) => {
    let done = false;
    const finish = (): void => {
      if (done) return;
      done = true;
      platform.clearTimeout(timer);
      resolve();
    };
    // An occluded window is "visible" and still draws nothing.
    const timer = platform.setTimeout(finish, 100);
    platform.requestAnimationFrame(finish);
  });
}
