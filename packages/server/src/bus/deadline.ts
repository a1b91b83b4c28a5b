import { steadyNow } from "../bounds/steady-clock.js";

/** Rejects with `error()` when a promise takes too long. */
export function withDeadline<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
  error: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(error()), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Runs something again until it succeeds, and rejects as it did last once the time is over. */
export async function retryFor<Value>(
  timeMs: number,
  pauseMs: number,
  run: () => Promise<Value>,
): Promise<Value> {
  for (const ends = steadyNow() + timeMs; ; ) {
    try {
      return await run();
    } catch (thrown) {
      if (steadyNow() > ends) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
