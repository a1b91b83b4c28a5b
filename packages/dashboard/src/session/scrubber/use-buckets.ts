import type { TimelineBuckets } from "@debug-bridge/protocol";
import { useEffect, useRef, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";

const PARTS = 240;
const REFRESH_MS = 1_000;

/** How much happened when: read again while there is more to count, and when there are new records. */
export function useBuckets(
  reader: TimelineReader,
  { kind, id }: TimelineAddress,
  ticks: number,
  isComplete: boolean,
): TimelineBuckets | undefined {
  const [buckets, setBuckets] = useState<TimelineBuckets>();
  /** What was counted last; -1 when nothing was. */
  const counted = useRef(-1);
  const wanted = useRef({ ticks, isComplete });
  wanted.current = { ticks, isComplete };
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    counted.current = -1;
    let wasComplete = false;
    const read = async (): Promise<void> => {
      while (!signal.aborted) {
        const now = wanted.current;
        if (now.ticks !== counted.current || !wasComplete) {
          const found = await reader.buckets({ kind, id }, PARTS, signal).catch(() => undefined);
          if (signal.aborted) return;
          if (found) {
            setBuckets(found);
            counted.current = now.ticks;
            wasComplete = now.isComplete;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
      }
    };
    void read();
    return () => controller.abort();
  }, [reader, kind, id]);
  return buckets;
}
