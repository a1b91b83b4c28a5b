import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { type ReadPage, RowStore } from "./records/row-store.js";

/** The rows that a query finds. They are read as they are shown. */
export function useRows(
  reader: TimelineReader,
  timeline: TimelineAddress,
  query: string,
  follow: boolean,
): RowStore {
  const { kind, id } = timeline;
  const previous = useRef<RowStore>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether it follows at first; later the list knows better
  const store = useMemo(() => {
    const read: ReadPage = (start, limit, signal) => {
      const asked = new URLSearchParams(query);
      asked.set("limit", String(limit));
      if (start !== "end") for (const [name, value] of Object.entries(start)) asked.set(name, String(value));
      return reader.timeline({ kind, id }, asked, signal);
    };
    previous.current = new RowStore(read, { follow, previous: previous.current });
    return previous.current;
  }, [reader, kind, id, query]);
  useEffect(() => {
    store.refresh();
    return () => store.close();
  }, [store]);
  useSyncExternalStore(store.subscribe, store.snapshot);
  return store;
}

/** Counts up whenever a live session has new records. */
export function useTicks(reader: TimelineReader, { kind, id }: TimelineAddress): number {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    if (kind !== "session" || !reader.followTimeline) return;
    const controller = new AbortController();
    reader.followTimeline(id, controller.signal, () => setTicks((count) => count + 1));
    return () => controller.abort();
  }, [reader, kind, id]);
  return ticks;
}
