import { setImmediate as nextTurn } from "node:timers/promises";
import {
  BridgeError,
  MASK,
  RECORD_KINDS,
  type SourceExcerpt,
  stripControlCharacters,
} from "@debug-bridge/protocol";
import {
  asEmbedded,
  MAX_SHARED_BYTES,
  parseOrNothing,
  placeName,
  type SharedContents,
  type TimelineSource,
} from "@debug-bridge/protocol/timeline";
import { maskData, masker } from "../security/mask-data.js";
import { collectReplay, type ReplaySegment } from "./collect-replay.js";
import { type Place, placesOf } from "./places.js";
import { rootHider } from "./project-roots.js";

/** How long other work of the hub may have to wait. */
const SLICE_MS = 8;
/** Places whose code is looked up. */
const MAX_PLACES = 200;

/** A picture or another file of a recording, for the file that is shared. */
export interface SharedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What can be shared: a live session or a recording. */
export interface Shareable {
  readonly name: string;
  readonly kind: string;
  readonly source: TimelineSource;
  /** Reads the code around a place; nothing when it cannot be read. */
  readCode(place: Place): Promise<SourceExcerpt | undefined>;
  /** A record with what it refers to. */
  resolve(data: unknown): unknown;
  /** How the DOM of the page changed, oldest first. */
  replay(): readonly ReplaySegment[];
  /** Further files between two moments, the most important first. */
  files(from: number, to: number): Iterable<SharedFile>;
}

/** A stretch of time, in milliseconds since the epoch; all of it where a side is left out. */
export interface Stretch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface Collected {
  readonly contents: SharedContents;
  /** Lines of JSON that can be inside a script element. */
  readonly records: readonly string[];
  readonly code: readonly string[];
  readonly files: readonly string[];
  readonly replay: readonly string[];
}

/** Everything that goes into a shared file, masked and counted. Lets the hub go on with other work meanwhile. */
export async function collect(shareable: Shareable, stretch: Stretch): Promise<Collected> {
  const { places, bodies, kinds, damaged, size, from, to, ...collected } = await collectRecords(
    shareable,
    stretch,
  );
  const withoutRoots = rootHider(collected.roots);
  const records = collected.records.map(withoutRoots);
  const code = (await collectCode(shareable, places)).map(withoutRoots);
  const leftOut = damaged === 0 ? [] : [`${damaged} damaged records`];
  const files: string[] = [];
  let room = MAX_SHARED_BYTES - size - sizeOf(code);
  const replay = await collectReplay(shareable.replay(), stretch, room);
  room -= sizeOf(replay.lines);
  if (replay.omitted > 0)
    leftOut.push(`${replay.omitted} parts of the replay, which do not fit into ${MAX_SHARED_BYTES / 1e6} MB`);
  let omitted = 0;
  let pictures = 0;
  for (const { name, type, bytes } of shareable.files(
    stretch.from ?? 0,
    stretch.to ?? Number.POSITIVE_INFINITY,
  )) {
    const line = asEmbedded(JSON.stringify({ name, type, data: bytes.toString("base64") }));
    if (line.length > room) omitted++;
    else {
      room -= line.length;
      files.push(line);
      // An empty one says that there is no picture from then on.
      if (bytes.length > 0) pictures++;
    }
  }
  if (omitted > 0)
    leftOut.push(`${omitted} pictures or other files, which do not fit into ${MAX_SHARED_BYTES / 1e6} MB`);
  const contents: SharedContents = {
    ...{
      name: masker.body(stripControlCharacters(shareable.name)),
      kind: shareable.kind,
      from,
      to,
      bodies,
      kinds,
      leftOut,
    },
    savedAt: new Date().toISOString(),
    isPart: stretch.from !== undefined || stretch.to !== undefined,
    records: records.length,
    code: code.length,
    files: pictures,
    ...(replay.lines.length > 0 ? { replay: { from: replay.from, to: replay.to } } : {}),
    masked: [...records, ...code].reduce((sum, line) => sum + line.split(MASK).length - 1, 0),
    size: MAX_SHARED_BYTES - room,
  };
  return { contents, records, code, files, replay: replay.lines.map(withoutRoots) };
}

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length + 1, 0);

interface Records {
  readonly records: string[];
  readonly places: Map<string, Place>;
  /** Folders of projects on this machine. */
  readonly roots: ReadonlySet<string>;
  readonly kinds: SharedContents["kinds"];
  readonly bodies: number;
  readonly damaged: number;
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

async function collectRecords(
  { source, resolve }: Shareable,
  { from = 0, to = Number.POSITIVE_INFINITY }: Stretch,
): Promise<Records> {
  while (!(await source.extend(SLICE_MS))) await nextTurn();
  const { columns } = source;
  const records: string[] = [];
  const places = new Map<string, Place>();
  const roots = new Set<string>();
  const kinds: Record<string, number> = {};
  let [bodies, damaged, size, first, last] = [0, 0, 0, Number.POSITIVE_INFINITY, 0];
  let slice = performance.now();
  // New records that come meanwhile are not waited for.
  const { length } = columns;
  for (let position = 0; position < length; position++) {
    const at = columns.times[position] as number;
    if (at < from || at > to) continue;
    const record = parseOrNothing(source.read(position) ?? "") as
      | { type?: unknown; data?: { body?: unknown; root?: unknown } }
      | undefined;
    if (record?.type === "dev_server") roots.add(String(record.data?.root));
    const line = record && maskedLine(record, resolve);
    if (line === undefined) damaged++;
    else {
      records.push(line);
      size += line.length + 1;
      const kind = RECORD_KINDS[columns.kinds[position] as number] as string;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (kind !== "frame" && typeof record?.data?.body === "string") bodies++;
      if (places.size < MAX_PLACES) for (const place of placesOf(record)) places.set(placeName(place), place);
      first = Math.min(first, at);
      last = Math.max(last, at);
    }
    if (size > MAX_SHARED_BYTES)
      throw new BridgeError(
        "too_large",
        `the records have more than ${MAX_SHARED_BYTES / 1e6} MB, which is the limit of a shared file; choose a stretch on the time axis (--from and --to on the command line) and share that`,
      );
    if (performance.now() - slice > SLICE_MS) {
      await nextTurn();
      slice = performance.now();
    }
  }
  return { records, places, roots, kinds, bodies, damaged, size, from: Math.min(first, last), to: last };
}

/** A record as a line; nothing when it cannot be written, such as one that nests too deep. */
function maskedLine(record: object, resolve: Shareable["resolve"]): string | undefined {
  try {
    const { data, sessionId } = record as { data?: unknown; sessionId?: unknown };
    const masked = maskData(resolve(data));
    // The session's own id, which messages repeat, has the name of a secret and is none.
    const repeated = (data as { sessionId?: unknown } | null)?.sessionId;
    if (sessionId !== undefined && repeated === sessionId) Object.assign(masked as object, { sessionId });
    return asEmbedded(JSON.stringify({ ...record, data: masked }));
  } catch {
    return undefined;
  }
}

/** Files of this machine are read, so each place is asked for once and one after the other. */
async function collectCode({ readCode }: Shareable, places: ReadonlyMap<string, Place>): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, place] of places) {
    const found = await readCode(place).catch(() => undefined);
    if (!found) continue;
    const excerpt = {
      ...found,
      lines: found.lines.map(({ number, text }) => ({ number, text: masker.body(text) })),
    };
    lines.push(asEmbedded(JSON.stringify({ name, excerpt })));
  }
  return lines;
}
