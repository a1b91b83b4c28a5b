import { setTimeout as sleep } from "node:timers/promises";
import { SessionFolder } from "@debug-bridge/journal";
import { HUB_LIMITS } from "../bounds/limits.js";
import type { Session } from "../sessions/session.js";
import { type Entry, gapJson, recordJson } from "./timeline.js";

/** Records that follow each other closely are written together. */
const BATCH_MS = 20;
/** Characters that wait to be written, of all sessions; what comes beyond is a gap. */
const MAX_PENDING = 16_000_000;

/** What waits to be written of one session. */
interface Recording {
  readonly sessionId: string;
  /** Made with the first records that are written: many sessions that start together do not hold up the others. */
  folder?: SessionFolder;
  lines: string[];
  dropped: number;
  ended: boolean;
}

/**
 * Writes the timelines of all sessions to disk, each into its own folder. One file is open at a time, however many
 * sessions there are, and the number of folders is limited.
 */
export class Recorder {
  private readonly recordings = new Map<Session, Recording>();
  private readonly dirty = new Set<Recording>();
  private writing: Promise<void> | undefined;
  private pending = 0;
  private created = 0;

  constructor(private readonly home: string) {}

  append(session: Session, entry: Entry): void {
    const recording = this.recordings.get(session) ?? this.create(session);
    if (!recording) return;
    if (this.pending > MAX_PENDING) recording.dropped++;
    else this.add(recording, session, entry);
    this.schedule(recording);
  }

  /** The session left the hub's list. */
  end(session: Session): void {
    const recording = this.recordings.get(session);
    if (!recording) return;
    this.recordings.delete(session);
    recording.ended = true;
    this.schedule(recording);
  }

  /** Ends all recordings. Everything is on disk when it resolves. */
  async close(): Promise<void> {
    for (const session of [...this.recordings.keys()]) this.end(session);
    while (this.writing) await this.writing;
  }

  private add(recording: Recording, { id }: Session, entry: Entry): void {
    const { dropped } = recording;
    recording.dropped = 0;
    const gap = { dropped, reason: "the disk was too slow for the recording" };
    if (dropped > 0) recording.lines.push(`${gapJson(id, entry.sequence, gap)}\n`);
    const line = `${recordJson(id, entry)}\n`;
    recording.lines.push(line);
    this.pending += line.length;
  }

  private create(session: Session): Recording | undefined {
    if (++this.created > HUB_LIMITS.recordings) {
      if (this.created === HUB_LIMITS.recordings + 1)
        process.stderr.write(
          `debug-bridge: ${HUB_LIMITS.recordings} sessions were recorded, which is the limit; restart the hub to record more\n`,
        );
      return undefined;
    }
    const recording: Recording = { sessionId: session.id, lines: [], dropped: 0, ended: false };
    this.recordings.set(session, recording);
    return recording;
  }

  private schedule(recording: Recording): void {
    this.dirty.add(recording);
    this.start();
  }

  private start(): void {
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
      if (this.dirty.size > 0) this.start();
    });
  }

  private async write(): Promise<void> {
    await sleep(BATCH_MS);
    for (const recording of this.dirty) {
      this.dirty.delete(recording);
      const lines = recording.lines.join("");
      recording.lines = [];
      this.pending -= lines.length;
      try {
        recording.folder ??= SessionFolder.create(this.home, { sessionId: recording.sessionId, kind: "app" });
        if (lines !== "") await recording.folder.append(lines);
        if (recording.ended && recording.lines.length === 0) recording.folder.end();
      } catch (thrown) {
        process.stderr.write(`debug-bridge: recording failed: ${(thrown as Error).message}\n`);
      }
    }
  }
}
