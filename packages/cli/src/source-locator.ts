import { type SourceLocation, writtenPlace } from "@debug-bridge/protocol";
import type { SourceMaps } from "@debug-bridge/runner/source-maps";

/** Scripts change while an app is developed, so their maps are read again for each answer. */
const MAX_AGE_MS = 1_000;

type Locate = (location: SourceLocation, page: string, stack?: string) => Promise<SourceLocation | undefined>;

/** Finds where the code of a page was written, if a map says it. What that needs is loaded at the first call. */
export function sourceLocator(): Locate {
  let maps: Promise<SourceMaps> | undefined;
  let readAt = 0;
  return async (location, page, stack) => {
    if (!maps || Date.now() - readAt > MAX_AGE_MS) {
      readAt = Date.now();
      maps = import("@debug-bridge/runner/source-maps").then(({ SourceMaps }) => new SourceMaps());
    }
    const sources = await maps;
    return writtenPlace(location, stack, (place) => sources.written(place, page));
  };
}
