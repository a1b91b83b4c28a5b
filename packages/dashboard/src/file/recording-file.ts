import {
  AGENT_LINE_LIMITS,
  isDeepJson,
  placeOfRecord,
  type RecordDetails,
  type SourceExcerpt,
  type SourceLocation,
  type TimelineBuckets,
  type TimelinePage,
  type TimelineRecords,
  writtenPlace,
} from "@debug-bridge/protocol";
import {
  LinesTimeline,
  PagedTimeline,
  parseOrNothing,
  placeName,
  readContents,
  recordDetails,
  type SharedContents,
  type SharedPart,
  timelineBuckets,
  timelinePage,
  timelineRecords,
} from "@debug-bridge/protocol/timeline";
import type { Frame, Place, ReplayPart, TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { fieldsOf, listOf, numberOf, textOf } from "../details/fields.js";
import { FileReplay } from "./file-replay.js";

/** A picture, named after its time in milliseconds since the epoch. */
const FRAME = /^pictures\/(\d{1,15})\.\w+$/;

/** Lets the page react to the person. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A recording that was read from a file into this page. The file may come from anywhere. */
export class RecordingFile implements TimelineReader {
  /** What the file says about itself; a bare list of records says nothing. */
  contents: SharedContents | undefined;
  /** Lines that are not records, or too long to be read. */
  skipped = 0;
  /** Whether the file was too large to be read to its end. */
  isCut = false;
  /** Pictures, by name. */
  readonly files = new Map<string, Blob>();
  readonly pageReplay = new FileReplay();
  private readonly lines = new LinesTimeline(pause);
  private readonly paged = new PagedTimeline(this.lines);
  private readonly code = new Map<string, SourceExcerpt>();

  constructor(readonly name: string) {}

  get count(): number {
    return this.lines.columns.length;
  }

  /** What people call it. */
  get title(): string {
    return this.contents?.name || this.name;
  }

  /** Adds one line of a part of a shared file; a list of records has only the part `records`. */
  addLine(part: SharedPart, line: string): void {
    if (line.trim() === "") return;
    if (part === "records") this.addRecord(line);
    else if (part === "contents") this.contents ??= readContents(parseOrNothing(line));
    else if (part === "code") this.addCode(fieldsOf(parseOrNothing(line)));
    else if (part === "replay") this.addReplay(fieldsOf(parseOrNothing(line)));
    else this.addFile(fieldsOf(parseOrNothing(line)));
  }

  timeline(_of: TimelineAddress, query: URLSearchParams): Promise<TimelinePage> {
    return timelinePage(this.paged, reading(query), 1);
  }

  buckets(_of: TimelineAddress, parts: number): Promise<TimelineBuckets> {
    return timelineBuckets(this.paged, reading(new URLSearchParams({ parts: String(parts) })));
  }

  record(_of: TimelineAddress, sequence: number): Promise<RecordDetails> {
    return recordDetails(this.paged, sequence);
  }

  records(_of: TimelineAddress, query: URLSearchParams): Promise<TimelineRecords> {
    return timelineRecords(this.paged, reading(query));
  }

  get hasFrames(): boolean {
    return this.files.size > 0 || !this.pageReplay.isEmpty;
  }

  async frame(_of: TimelineAddress, at: number | "last"): Promise<Frame | undefined> {
    let found: Frame | undefined;
    for (const [name, blob] of this.files) {
      const time = Number(FRAME.exec(name)?.[1] ?? Number.NaN);
      if (time > (found?.at ?? -1) && (at === "last" || time <= at)) found = { blob, at: time };
    }
    // An empty one marks the end of the pictures.
    return found && found.blob.size > 0 ? found : undefined;
  }

  async replay(
    _of: TimelineAddress,
    at: number | "last",
    known: Pick<ReplayPart, "segment" | "next">,
  ): Promise<ReplayPart | undefined> {
    return this.pageReplay.read(at, known);
  }

  async source(_of: TimelineAddress, place: Place): Promise<SourceExcerpt> {
    const found = this.code.get(placeName(place));
    if (found) return found;
    throw new Error("the code is not in this file");
  }

  /** By the code that the file holds. */
  async places(
    of: TimelineAddress,
    sequences: readonly number[],
  ): Promise<ReadonlyMap<number, SourceLocation>> {
    const written = async (place: SourceLocation): Promise<SourceLocation | undefined> => {
      const found = this.code.get(placeName(place));
      return found && !found.isServed
        ? { url: found.url, line: found.line, column: found.column }
        : undefined;
    };
    const places = new Map<number, SourceLocation>();
    for (const sequence of sequences) {
      const details = await this.record(of, sequence).catch(() => undefined);
      const place =
        details && (await placeOfRecord(details.record, (at, stack) => writtenPlace(at, stack, written)));
      if (place) places.set(sequence, place);
    }
    return places;
  }

  private addRecord(line: string): void {
    // What nests deeper cannot be copied as JSON.
    if (isDeepJson(line, AGENT_LINE_LIMITS.depth) || !this.lines.add(line)) this.skipped++;
  }

  private addCode({ name, excerpt }: Record<string, unknown>): void {
    const { url, line, column, lines, isServed } = fieldsOf(excerpt);
    if (typeof name !== "string" || typeof url !== "string") return;
    this.code.set(name, {
      ...{ url, line: numberOf(line) ?? 0, column: numberOf(column) ?? 0 },
      lines: listOf(lines)
        .map(fieldsOf)
        .map(({ number, text }) => ({ number: numberOf(number) ?? 0, text: textOf(text) ?? "" })),
      ...(isServed === true ? { isServed } : {}),
    });
  }

  private addReplay({ segment, events, end }: Record<string, unknown>): void {
    if (typeof segment !== "number") return;
    if (Array.isArray(events)) this.pageReplay.add(segment, events);
    if (typeof end === "number") this.pageReplay.end(segment, end);
  }

  private addFile({ name, type, data }: Record<string, unknown>): void {
    if (typeof name !== "string" || typeof data !== "string" || !isPicture(type)) return;
    const bytes = bytesOf(data);
    if (bytes) this.files.set(name, new Blob([bytes], { type }));
  }
}

/** Other types, such as SVG, could hold more than a picture. */
const isPicture = (type: unknown): type is string =>
  type === "image/jpeg" || type === "image/png" || type === "image/webp";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const reading =
  (query: URLSearchParams) =>
  (name: string): string | undefined =>
    query.get(name) ?? undefined;
