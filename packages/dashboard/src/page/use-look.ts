import { useEffect, useRef, useState } from "react";

/** How long after one look the next may follow, and how long at most while nothing is reported. */
const MIN_MS = 700;
const MAX_MS = 5_000;

export interface Look<Value> {
  readonly value?: Value;
  /** When it was seen. */
  readonly at?: number;
  readonly problem?: string;
}

/** Looks again and again while the person does: soon after something happened, else seldom. */
export function useLook<Value>(read: (signal: AbortSignal) => Promise<Value>, ticks: number): Look<Value> {
  const [look, setLook] = useState<Look<Value>>({});
  const newest = useRef(ticks);
  newest.current = ticks;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const run = async (): Promise<void> => {
      let seen = -1;
      let seenAt = 0;
      while (!signal.aborted) {
        const isDue = newest.current !== seen || Date.now() - seenAt > MAX_MS;
        if (isDue && document.visibilityState === "visible") {
          seen = newest.current;
          await read(signal).then(
            (value) => !signal.aborted && setLook({ value, at: Date.now() }),
            // What was seen before stays.
            (thrown: Error) =>
              !signal.aborted && setLook((before) => ({ ...before, problem: thrown.message })),
          );
          seenAt = Date.now();
        }
        await new Promise((resolve) => setTimeout(resolve, MIN_MS));
      }
    };
    void run();
    return () => controller.abort();
  }, [read]);
  return look;
}
