import { recordLine, type SourceLocation, type TimelineRecord } from "@debug-bridge/protocol";
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
  const located = records.flatMap((record) => {
    const { location } = recordLine(record);
    return location ? [{ record, location }] : [];
  });
  if (!locate || located.length === 0) return places;
  const page = (await hub.sessions()).find(({ id }) => id === session)?.url;
  if (page === undefined) return places;
  await Promise.all(
    located.slice(-MAX_PLACES).map(async ({ record, location }) => {
      const { url, line, column } = await locate(location, page, stackOf(record));
      if (url !== location.url || line !== location.line)
        places.set(record, { ...location, url, line, column });
    }),
  );
  return places;
}

/**
 * The stack of an error, also of one that the app prints. Frameworks catch errors and throw or print them themselves, so that
 * the place of the last throw, or of the call, is not the app's.
 */
function stackOf({ type, data }: TimelineRecord): string | undefined {
  const { stack, values } = (data ?? {}) as { stack?: unknown; values?: unknown };
  if (type === "error" || type === "unhandledrejection") return text(stack);
  if (type !== "console" || !Array.isArray(values)) return undefined;
  return text((values.find((value) => value?.type === "error") as { stack?: unknown } | undefined)?.stack);
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
