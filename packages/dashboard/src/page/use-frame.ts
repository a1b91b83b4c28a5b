import { useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import type { DashboardApi } from "../hub/dashboard-api.js";

/** How often a pane asks whether there is something new. */
const WATCH_MS = 500;

interface ShownFrame {
  readonly url: string;
  readonly at: number;
}

/** `undefined` until it is known; `null` when there is no picture of that moment. */
export type FrameState = ShownFrame | null | undefined;

/** What a page looked like at a moment, or at the last one when none is given. Read again when `newest` changes. */
export function useFrame(
  reader: TimelineReader,
  { kind, id }: TimelineAddress,
  at: number | undefined,
  newest?: number,
): FrameState {
  const [frame, setFrame] = useState<FrameState>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another newest one means that there is a new picture
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    Promise.resolve(reader.frame?.({ kind, id }, at ?? "last", signal)).then(
      (found) => {
        if (signal.aborted) return;
        // What was shown stays until the next is here: moving through the list does not flicker.
        setFrame((before) => {
          if (before && found?.at === before.at) return before;
          if (before) URL.revokeObjectURL(before.url);
          return found ? { url: URL.createObjectURL(found.blob), at: found.at } : null;
        });
      },
      () => {},
    );
    return () => controller.abort();
  }, [reader, kind, id, at, newest]);
  return frame;
}

/** Has a page pictured while the component is mounted; the time of the newest picture. */
export function useLiveFrames(client: DashboardApi, session: string): number | undefined {
  const [newest, setNewest] = useState<number>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // A stream for each pane would use up the few connections that a browser opens to a server.
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        if (document.visibilityState === "visible")
          await client.watch(session, signal).then(
            ({ changedAt }) => setNewest(changedAt),
            () => {},
          );
        await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
      }
    };
    void follow();
    return () => controller.abort();
  }, [client, session]);
  return newest;
}
