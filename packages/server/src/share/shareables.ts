import { join } from "node:path";
import {
  BlobStore,
  debugPaths,
  FileTimeline,
  readReplay,
  readSession,
  replayTimes,
} from "@debug-bridge/journal";
import type { ReadSource } from "../http/session/source.js";
import type { PictureStore } from "../pictures/picture-store.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import type { TimelineReaders } from "../timeline/readers.js";
import type { Shareable } from "./collect.js";
import { asFile, recordingPictures, withFirst } from "./recording-files.js";

interface Parts {
  readonly home: string;
  readonly sessions: Sessions;
  readonly timelines: TimelineReaders;
  readonly pictures: PictureStore;
  readonly readSource: ReadSource | undefined;
}

/** A live session: what the hub still has of it. */
export function shareableSession(id: string, parts: Parts): Shareable {
  const { sessions, timelines, pictures, readSource } = parts;
  const { source } = timelines.ofSession(id).paged;
  const session = sessions.get(id) as Session;
  const { kind, appName, title, origin } = session.summary();
  return {
    name: appName ?? title ?? id,
    kind,
    source,
    readCode: async (place) => (origin === undefined ? undefined : readSource?.(place, origin)),
    resolve: (data) => data,
    replay: () => pictures.replay(session).map(({ at, end, parts }) => ({ at, end, parts: () => parts })),
    files: (from, to) => withFirst(pictures.pictures(session), from, to).map(asFile),
  };
}

/** A recording. Code is read only while its session is live: later, the files may be others. */
export function shareableRecording(id: string, { home, sessions, timelines, readSource }: Parts): Shareable {
  const { source } = timelines.ofRecording(id).paged;
  const { name = id } = readSession(join(debugPaths(home).sessions, id)) ?? {};
  const origin = sessions.get(name)?.summary().origin;
  return {
    ...recordingParts(home, id),
    source,
    readCode: async (place) => (origin === undefined ? undefined : readSource?.(place, origin)),
  };
}

/** A recording on disk, without a hub. Its code is unknown. */
export function recordingOnDisk(home: string, id: string): Shareable & { close(): void } {
  const file = new FileTimeline(join(debugPaths(home).sessions, id, "events.jsonl"));
  return {
    ...recordingParts(home, id),
    source: file,
    readCode: async () => undefined,
    close: () => file.close(),
  };
}

function recordingParts(
  home: string,
  id: string,
): Pick<Shareable, "name" | "kind" | "resolve" | "replay" | "files"> {
  const folder = join(debugPaths(home).sessions, id);
  const { name = id, kind = "agent" } = readSession(join(debugPaths(home).sessions, id)) ?? {};
  const blobs = new BlobStore(folder);
  return {
    name,
    kind,
    resolve: (data) => blobs.resolve(data),
    replay: () =>
      replayTimes(folder).map(({ at, end }) => ({ at, end, parts: () => readReplay(folder, at) })),
    files: (from, to) => recordingPictures(folder, from, to),
  };
}
