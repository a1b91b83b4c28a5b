import { BridgeError, placeOfRecord, type SourceLocation } from "@debug-bridge/protocol";
import { recordOf } from "@debug-bridge/protocol/timeline";
import { Hono } from "hono";
import type { Sessions } from "../../sessions/registry.js";
import type { TimelineReaders } from "../../timeline/readers.js";
import { wholeNumber } from "../query.js";

/** Finds where code was written. `page` is the origin that the session is pinned to; nothing of another origin may be read. */
export type LocateSource = (
  location: SourceLocation,
  page: string,
  stack?: string,
) => Promise<SourceLocation | undefined>;

/** Records that one answer places. */
const MAX_RECORDS = 200;

/** `/v1/sessions/:id/places?records=12,15`: where the code behind records was written, by their numbers. */
export function placeRoutes(
  sessions: Sessions,
  timelines: TimelineReaders,
  locate: LocateSource | undefined,
): Hono {
  const api = new Hono();
  api.get("/sessions/:id/places", async (c) => {
    const { paged } = timelines.ofSession(c.req.param("id"));
    const { origin } = sessions.get(c.req.param("id"))?.summary() ?? {};
    const wanted = (c.req.query("records") ?? "").split(",").map((text) => wholeNumber(text, "records", 0));
    if (wanted.length > MAX_RECORDS)
      throw new BridgeError("too_large", `at most ${MAX_RECORDS} records are placed at once`, {
        field: "records",
      });
    const places: Record<number, SourceLocation> = {};
    if (origin !== undefined && locate)
      await Promise.all(
        wanted.map(async (sequence) => {
          const record = recordOf(paged, sequence);
          const place =
            record &&
            (await placeOfRecord(record, (at, stack) => locate(at, origin, stack)).catch(() => undefined));
          if (place) places[sequence] = place;
        }),
      );
    return c.json({ places });
  });
  return api;
}
