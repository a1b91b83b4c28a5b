import { existsSync, statSync } from "node:fs";
import { AppendFile, lastLines, readLines } from "@debug-bridge/journal";
import { CHAT_MESSAGE_LIMITS, type RunEvent } from "@debug-bridge/protocol";
import { check, decode, runEventSchema } from "@debug-bridge/protocol/schemas";

/** How many unreadable lines may follow the newest event. Every start of a writer adds at most one. */
const MAX_TORN_LINES = 50;

/** What an event says, without its place in the transcript. */
export type NewEvent = RunEvent extends infer Each
  ? Each extends RunEvent
    ? Pick<Each, "event" | "payload">
    : never
  : never;

/**
 * The events of a transcript, oldest first. Lines that are no events of this chat, such as one that a writer left
 * incomplete, are skipped; so is what does not continue the sequence.
 */
export function* readTranscript(file: string, chatId: string): Generator<RunEvent> {
  if (!existsSync(file)) return;
  let sequence = 0;
  for (const { text } of readLines(file, 0, false)) {
    const event = parseEvent(text, chatId);
    if (!event || event.sequence <= sequence) continue;
    sequence = event.sequence;
    yield event;
  }
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
