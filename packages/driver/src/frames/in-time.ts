import { BridgeError } from "@debug-bridge/protocol";

/** How long a frame gets to answer: another process may be busy, and must not hold up the page around it. */
export const FRAME_TIMEOUT_MS = 2_000;

/** Fails with `timeout` when there is no answer after so long. */
export function inTime<Value>(work: Promise<Value>, ms = FRAME_TIMEOUT_MS): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new BridgeError("timeout", `no answer within ${ms} ms`));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
