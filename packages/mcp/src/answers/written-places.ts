import { placeOfRecord, recordLine, type SourceLocation, type TimelineRecord } from "@debug-bridge/protocol";
import type { Bridge } from "../bridge.js";

/** The newest records are shown first; more of them than this do not fit into an answer. */
const MAX_PLACES = 200;

/** Where the code behind these records was written, for those that run elsewhere. */
export async function writtenPlaces(
  records: readonly TimelineRecord[],
  session: string,
  { hub, locate }: Bridge,
): Promise<Map<TimelineRecord, SourceLocation>> {
  const places = new Map<TimelineRecord, SourceLocation>();
  const located = records.filter((record) => recordLine(record).location);
  if (!locate || located.length === 0) return places;
  const page = await pageOf(session, { hub });
  if (page === undefined) return places;
  await Promise.all(
    located.slice(-MAX_PLACES).map(async (record) => {
      const found = await placeOfRecord(record, (at, stack) => locate(at, page, stack));
      if (found) places.set(record, found);
    }),
  );
  return places;
}

/** The address of the page of a session. */
export const pageOf = async (session: string, { hub }: Pick<Bridge, "hub">): Promise<string | undefined> =>
  (await hub.sessions()).find(({ id }) => id === session)?.url;
