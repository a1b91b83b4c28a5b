import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "@debug-bridge/client";
import type { TimelineRecord } from "@debug-bridge/protocol";
import { CAUGHT_UP, consoleRecords } from "./stream.js";

const CHECK_INTERVAL_MS = 250;

/**
 * Console records as they come, until `signal` is aborted. When the hub goes away, they are read from the hub that
 * replaces it: `find` returns the hub to use now.
 */
export async function* followRecords(
  find: () => HubClient,
  since: number,
  signal: AbortSignal,
  report: (message: string) => void,
): AsyncGenerator<TimelineRecord> {
  for (let from = since; ; ) {
    const hub = find();
    for await (const record of consoleRecords(hub, from, signal)) {
      if (record.type !== CAUGHT_UP) from = Math.max(from, Date.parse(record.timestamp) + 1);
      yield record;
    }
    if (signal.aborted) return;
    report(`the hub at ${hub.url} was lost; waiting until it is back (Ctrl+C ends)`);
    while (!(await find().isReachable())) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
    report(`connected to the hub at ${find().url}`);
  }
}
