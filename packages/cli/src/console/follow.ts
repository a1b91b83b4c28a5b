import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "@debug-bridge/client";
import type { TimelineRecord } from "@debug-bridge/protocol";
import { CAUGHT_UP, consoleRecords } from "./stream.js";

const LOOK_EVERY_MS = 250;

/**
 * Console records as they come, for as long as anybody wants them: when the hub goes away, what comes is read from the
 * one that takes its place. `find` tells where it is to be looked for now.
 */
export async function* followRecords(
  find: () => HubClient,
  since: number,
  signal: AbortSignal,
  tell: (what: string) => void,
): AsyncGenerator<TimelineRecord> {
  for (let from = since; ; ) {
    const hub = find();
    for await (const record of consoleRecords(hub, from, signal)) {
      if (record.type !== CAUGHT_UP) from = Math.max(from, Date.parse(record.timestamp) + 1);
      yield record;
    }
    if (signal.aborted) return;
    tell(`the hub at ${hub.url} went away; waiting for it (Ctrl+C ends)`);
    while (!(await find().isReachable())) {
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
    tell(`the hub at ${find().url} is there`);
  }
}
