import { BridgeError, type Command } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";

/** Code of the app may wait for the effect of the next command; after this long, that command starts anyway. */
const MAX_FOR_CODE_MS = 5_000;

/** When the command came, and whether it was cancelled since. */
interface Since {
  readonly startedAt: number;
  readonly signal: AbortSignal;
}

/**
 * Runs acting commands one after another, so that a receipt covers one action and two commands never type at the same
 * time. A command that is cancelled or times out while it waits is not run.
 */
export class ActionQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Waits for its turn. Call the returned function when the action has ended. */
  async enter({ type, timeoutMs }: Command, since: Since): Promise<() => void> {
    const before = this.last;
    let free = (): void => {};
    const over = new Promise<void>((resolve) => {
      free = resolve;
    });
    this.last = before.then(() => over);
    try {
      await inTime(before, type, timeoutMs, since);
    } catch (thrown) {
      free();
      throw thrown;
    }
    const isCode = type === "evaluate" || type === "call_tool";
    const longest = Math.min(timeoutMs ?? MAX_FOR_CODE_MS, MAX_FOR_CODE_MS);
    const timer = isCode ? platform.setTimeout(free, longest) : undefined;
    return () => {
      platform.clearTimeout(timer);
      free();
    };
  }
}

function inTime(
  turn: Promise<unknown>,
  type: string,
  timeoutMs: number | undefined,
  { signal, startedAt }: Since,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (end: () => void): void => {
      platform.clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      end();
    };
    const cancel = (): void =>
      done(() =>
        reject(new BridgeError("cancelled", `${type} was cancelled before its turn. Nothing was done`)),
      );
    const late = (): void => {
      const message = `${type} waited ${timeoutMs} ms for another command to end. Nothing was done`;
      done(() => reject(new BridgeError("timeout", message, { timeoutMs })));
    };
    const left = timeoutMs === undefined ? undefined : startedAt + timeoutMs - platform.now();
    const timer = left === undefined ? undefined : platform.setTimeout(late, left);
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    else if (left !== undefined && left <= 0) late();
    else turn.then(() => done(resolve));
  });
}
