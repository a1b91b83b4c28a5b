import { BridgeError } from "@debug-bridge/protocol";
import {
  recordDetails,
  timelineBuckets,
  timelinePage,
  timelineRecords,
} from "@debug-bridge/protocol/timeline";
import { type Context, Hono } from "hono";
import type { ReadTimeline } from "../../timeline/readers.js";
import { wholeNumber } from "../query.js";
import { eventStream } from "../sse.js";

/** New records are reported together. */
const TICK_MS = 100;

/** `timeline`, `timeline/buckets`, `timeline/live`, `records` and `records/:sequence` of a session or a recording. */
export function timelineRoutes(open: (id: string) => ReadTimeline): Hono {
  const api = new Hono();
  const timelineOf = async (c: Context): Promise<ReadTimeline> => {
    const timeline = open(c.req.param("id") ?? "");
    await timeline.ready?.();
    return timeline;
  };

  api.get("/timeline", async (c) => {
    const { paged, generation } = await timelineOf(c);
    return c.json(await timelinePage(paged, (name) => c.req.query(name), generation));
  });

  api.get("/timeline/buckets", async (c) =>
    c.json(await timelineBuckets((await timelineOf(c)).paged, (name) => c.req.query(name))),
  );

  api.get("/timeline/live", async (c) => {
    const { follow } = await timelineOf(c);
    if (!follow)
      throw new BridgeError("not_supported", "a recording has no new records; read its timeline again");
    return eventStream((send) => {
      let timer: NodeJS.Timeout | undefined;
      let added = 0;
      const stop = follow(() => {
        added++;
        timer ??= setTimeout(() => {
          timer = undefined;
          send(JSON.stringify({ type: "added", records: added }));
          added = 0;
        }, TICK_MS);
      });
      return () => {
        clearTimeout(timer);
        stop();
      };
    });
  });

  api.get("/records", async (c) =>
    c.json(await timelineRecords((await timelineOf(c)).paged, (name) => c.req.query(name))),
  );

  api.get("/records/:sequence", async (c) => {
    const sequence = wholeNumber(c.req.param("sequence"), "sequence", 0);
    return c.json(await recordDetails((await timelineOf(c)).paged, sequence));
  });

  return api;
}
