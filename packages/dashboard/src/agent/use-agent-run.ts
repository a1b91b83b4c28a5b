import { useEffect, useRef, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { type AgentRun, afterRunRecord, NO_RUN, RUN_KINDS } from "./agent-run.js";

/** The run of an agent, read on whenever there are new records. */
export function useAgentRun(reader: TimelineReader, { kind, id }: TimelineAddress, ticks: number): AgentRun {
  const [run, setRun] = useState<AgentRun>(NO_RUN);
  const newest = useRef(ticks);
  newest.current = ticks;
  const wake = useRef(() => {});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      let since = 0;
      while (!signal.aborted) {
        const seen = newest.current;
        const query = new URLSearchParams({ kinds: RUN_KINDS, since: String(since) });
        const page = await reader.records({ kind, id }, query, signal).catch(() => undefined);
        if (signal.aborted) return;
        if (page && page.records.length > 0) setRun((before) => page.records.reduce(afterRunRecord, before));
        const isBehind = page !== undefined && !page.complete;
        since = page?.next ?? since;
        if (!isBehind && newest.current === seen)
          await new Promise<void>((resolve) => (wake.current = resolve));
      }
    };
    void follow();
    return () => {
      controller.abort();
      wake.current();
      setRun(NO_RUN);
    };
  }, [reader, kind, id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick says that there is more to read
  useEffect(() => wake.current(), [ticks]);
  return run;
}
