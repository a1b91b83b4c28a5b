import { existsSync, statSync } from "node:fs";
import { AppendFile, lastLines, readLines, readLinesBackward } from "@debug-bridge/journal";
import { CHAT_MESSAGE_LIMITS, type RunEvent } from "@debug-bridge/protocol";
import { check, decode, runEventSchema } from "@debug-bridge/protocol/schemas";

/** How many unreadable lines may follow the newest event. Every start of a writer adds at most one. */
const MAX_TORN_LINES = 50;
/** A search for an event that is narrowed down to so many bytes reads them one by one. */
const NEAR_BYTES = 16 * 1024;
/** Enough for some lines: a search needs one of each place that it looks at. */
const PROBE_BYTES = 4 * 1024;

/** What an event says, without its place in the transcript. */
export type NewEvent = RunEvent extends infer Each
  ? Each extends RunEvent
    ? Pick<Each, "event" | "payload">
    : never
  : never;

/**
 * The events of a transcript after `since`, oldest first. Lines that are no events of this chat, such as one that a
 * writer left incomplete, are skipped; so is what does not continue the sequence.
 */
export function* readTranscript(file: string, chatId: string, since = 0): Generator<RunEvent> {
  if (!existsSync(file)) return;
  let sequence = since;
  for (const { text } of readLines(file, offsetAfter(file, chatId, since), false)) {
    const event = parseEvent(text, chatId);
    if (!event || event.sequence <= sequence) continue;
    sequence = event.sequence;
    yield event;
  }
}

/** The events before `before`, newest first; without it, from the newest one on. Only what is taken is read. */
export function* readTranscriptBackward(file: string, chatId: string, before?: number): Generator<RunEvent> {
  if (!existsSync(file)) return;
  let sequence = before ?? Number.POSITIVE_INFINITY;
  const end = before === undefined ? transcriptBytes(file) : offsetAfter(file, chatId, before - 1);
  for (const { text } of readLinesBackward(file, end)) {
    const event = parseEvent(text, chatId);
    if (!event || event.sequence >= sequence) continue;
    sequence = event.sequence;
    yield event;
  }
}

/**
 * An offset behind which every event after `since` is, and few others. Sequences only grow, so it is found by halving:
 * the cost does not depend on how long the transcript is.
 */
export function offsetAfter(file: string, chatId: string, since: number): number {
  if (since <= 0) return 0;
  let from = 0;
  for (let to = transcriptBytes(file); to - from > NEAR_BYTES; ) {
    const middle = Math.floor((from + to) / 2);
    const found = firstEvent(file, chatId, middle, to);
    if (found && found.sequence <= since) from = found.end;
    else to = middle;
  }
  for (const { text, end } of existsSync(file) ? readLines(file, from, false, NEAR_BYTES) : []) {
    const event = parseEvent(text, chatId);
    if (event && event.sequence > since) break;
    if (event) from = end;
  }
  return from;
}

/** The first event that begins behind an offset and ends before another. */
function firstEvent(
  file: string,
  chatId: string,
  from: number,
  to: number,
): { sequence: number; end: number } | undefined {
  // The offset is within some line, of which nothing is known.
  let isPart = true;
  for (const { text, end } of readLines(file, from, false, PROBE_BYTES)) {
    if (end > to) return undefined;
    const event = isPart ? undefined : parseEvent(text, chatId);
    if (event) return { sequence: event.sequence, end };
    isPart = false;
  }
  return undefined;
}

/** An event of a chat from its line; undefined for anything else. */
export function parseEvent(line: string, chatId: string): RunEvent | undefined {
  const decoded = decode(runEventSchema, line, CHAT_MESSAGE_LIMITS);
  return decoded.ok && decoded.value.sessionId === chatId ? decoded.value : undefined;
}

export function transcriptBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The newest event. Only lines of writers that were killed can follow it. */
export function lastEvent(file: string, chatId: string): RunEvent | undefined {
  for (const { text } of lastLines(file, MAX_TORN_LINES, transcriptBytes(file)).reverse()) {
    const event = parseEvent(text, chatId);
    if (event) return event;
  }
  return undefined;
}

/** Whether a run has ended with this event. */
function isEnd({ event }: Pick<RunEvent, "event">): boolean {
  return event === "run.finished" || event === "run.stopped";
}

/** Appends to a transcript. Only the holder of the chat's claim may have one. */
export class TranscriptWriter {
  private readonly file: AppendFile;
  private sequence = 0;
  /** The newest event before this writer, and the run that it left without an end. */
  readonly openRun: string | undefined;

  constructor(
    path: string,
    private readonly chatId: string,
  ) {
    this.file = new AppendFile(path);
    // A complete event without its line end counts from now on, so it has to be read before the next number is given.
    this.file.endLine();
    const last = lastEvent(path, chatId);
    this.sequence = last?.sequence ?? 0;
    this.openRun = last && !isEnd(last) ? last.runId : undefined;
  }

  append(runId: string, { event, payload }: NewEvent): { event: RunEvent; bytes: number } {
    const full = {
      event,
      runId,
      sessionId: this.chatId,
      sequence: this.sequence + 1,
      timestamp: new Date().toISOString(),
      payload,
    } as RunEvent;
    const checked = check(runEventSchema, full);
    // Readers would skip it, and its number would be missing.
    if (!checked.ok) throw checked.error;
    const line = JSON.stringify(full);
    this.file.append(line);
    this.sequence++;
    return { event: full, bytes: Buffer.byteLength(line) + 1 };
  }

  close(): void {
    this.file.close();
  }
}
