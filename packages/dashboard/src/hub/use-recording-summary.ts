import type { RecordingSummary } from "@debug-bridge/protocol";
import { useEffect, useState } from "react";
import type { TimelineAddress } from "../data/timeline-reader.js";
import type { DashboardApi } from "./dashboard-api.js";

/** What the list of recordings says about the one that is shown. */
export function useRecordingSummary(
  client: DashboardApi,
  timeline: TimelineAddress | undefined,
): RecordingSummary | undefined {
  const id = timeline?.kind === "recording" ? timeline.id : undefined;
  const [summary, setSummary] = useState<RecordingSummary>();
  useEffect(() => {
    if (id === undefined) return;
    const controller = new AbortController();
    client.recordings(controller.signal).then(
      ({ recordings }) => setSummary(recordings.find((each) => each.id === id)),
      () => {},
    );
    return () => controller.abort();
  }, [client, id]);
  return summary?.id === id ? summary : undefined;
}
