import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PictureFolder, ReplayFolder, SessionFolder } from "@debug-bridge/journal";
import { HUB_LIMITS } from "../bounds/limits.js";
import { steadyNow } from "../bounds/steady-clock.js";
import type { AppPeer } from "../sessions/peers/app-peer.js";
import type { Session } from "../sessions/session.js";
import { RecordedPages } from "./recorded-pages.js";
import { type Entry, gapJson, recordJson } from "./timeline.js";

/** Records that follow each other closely are written together. */
const BATCH_MS = 20;
/** What could not be written, as on a full disk, is tried again after this time. */
const RETRY_MS = 1_000;
/** Characters that wait to be written, of all sessions; what comes beyond is a gap. */
const MAX_PENDING = 16_000_000;

/** What waits to be written of one session. */
interface Recording {
  readonly session: Session;
  /** Made with the first records that are written: many sessions that start together do not hold up the others. */
  folder?: SessionFolder;
  pictures?: PictureFolder;
  replay?: ReplayFolder;
  lines: string[];
  dropped: number;
  ended: boolean;
}

/**
 * Writes the timelines of sessions to disk, each into its own folder: of all of them, or of those that somebody chose. One file is open at a time, however many
 * sessions there are, and the number of folders is limited.
 */
export class Recorder {
  private readonly recordings = new Map<Session, Recording>();
  private readonly dirty = new Set<Recording>();
  private writing: Promise<void> | undefined;
  private pending = 0;
  private created = 0;
  /** Why the last attempt to write failed. */
  private failure: string | undefined;
  private isClosing = false;

  /** Sessions that somebody asked for, if not all are recorded. */
  private readonly wanted = new WeakSet<Session>();
  private readonly pages = new RecordedPages();

  constructor(
    private readonly home: string,
    private readonly recordsAll: boolean,
  ) {}

  /** Whether a session is recorded. An agent writes its own files. */
  isRecording(session: Session): boolean {
    return !session.isFollowed && (this.recordsAll || this.wanted.has(session));
  }

  /** Id of the recording that a session is written to now, once something of it is on disk. */
  recordingOf(session: Session): string | undefined {
    const folder = this.isRecording(session) ? this.recordings.get(session)?.folder : undefined;
    return folder && basename(folder.path);
  }

  /** Resolves when everything that was recorded so far is on disk. */
  async written(): Promise<void> {
    await this.writing;
  }

  /**
   * Records a session from now on, beginning with what the hub still has of it. Resolves when its pages report what is done in
   * them.
   */
  async record(session: Session): Promise<void> {
    if (session.isFollowed || this.isRecording(session)) return;
    this.wanted.add(session);
    const ready = this.pages.record(session);
    for (const entry of session.timeline.readSince(0).entries) this.keep(session, entry);
    await ready;
  }

  /** Resolves when these pages of a session report what is done in them, if it is recorded; `undefined` when there is nothing to wait for. */
  ready(session: Session, apps: readonly AppPeer[]): Promise<void> | undefined {
    return this.recordsPages(session) ? this.pages.record(session, apps) : undefined;
  }

  /** A tab that nobody chose is not attached for a recording of everything. */
  private recordsPages(session: Session): boolean {
    return this.isRecording(session) && (session.kind !== "tab" || this.wanted.has(session));
  }

  /** Ends the recording of a session that was asked for. */
  stop(session: Session): void {
    if (this.wanted.delete(session)) this.pages.stop(session);
    this.end(session);
  }

  append(session: Session, entry: Entry): void {
    if (!this.isRecording(session)) return;
    // A new page knows nothing of the recording.
    if (entry.type === "hello" && this.recordsPages(session)) this.pages.onHello(session);
    this.keep(session, entry);
  }

  private keep(session: Session, entry: Entry): void {
    const recording = this.recordings.get(session) ?? this.create(session);
    if (!recording) return;
    if (this.pending > MAX_PENDING) recording.dropped++;
    else this.add(recording, session, entry);
    this.schedule(recording);
  }

  /** Where the pictures of a session go while it is recorded. */
  pictureFolder(session: Session): PictureFolder | undefined {
    const recording = this.isRecording(session) ? this.recordings.get(session) : undefined;
    if (!recording) return undefined;
    return this.unlessFull(() => (recording.pictures ??= new PictureFolder(this.folderOf(recording).path)));
  }

  /** Where the replay of a session goes while it is recorded. */
  replayFolder(session: Session): ReplayFolder | undefined {
    const recording = this.isRecording(session) ? this.recordings.get(session) : undefined;
    if (!recording) return undefined;
    return this.unlessFull(() => (recording.replay ??= new ReplayFolder(this.folderOf(recording).path)));
  }

  /** The session left the hub's list. */
  end(session: Session): void {
    const recording = this.recordings.get(session);
    if (!recording) return;
    this.recordings.delete(session);
    recording.ended = true;
    recording.pictures?.end(Date.now());
    recording.replay?.end(Date.now());
    this.schedule(recording);
  }

  /** Ends all recordings. Everything is on disk when it resolves, or it was reported that the disk did not take it. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const session of [...this.recordings.keys()]) this.end(session);
    while (this.writing) await this.writing;
  }

  private add(recording: Recording, { id }: Session, entry: Entry): void {
    this.addGap(recording, id, entry.sequence);
    const line = `${recordJson(id, entry)}\n`;
    recording.lines.push(line);
    this.pending += line.length;
  }

  /** Reports what was dropped before the record with this number. */
  private addGap(recording: Recording, id: string, sequence: number): void {
    const { dropped } = recording;
    if (dropped === 0) return;
    recording.dropped = 0;
    const reason = "the disk was full, or too slow for the recording";
    const line = `${gapJson(id, sequence, { dropped, reason })}\n`;
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
    const recording: Recording = { session, lines: [], dropped: 0, ended: false };
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
    await this.pause();
    const before = this.failure;
    this.failure = undefined;
    const failed: Recording[] = [];
    for (const recording of this.dirty) {
      this.dirty.delete(recording);
      try {
        await this.flush(recording);
      } catch (thrown) {
        failed.push(recording);
        this.failure = (thrown as Error).message;
      }
    }
    if (this.isClosing) this.giveUp(failed);
    else for (const recording of failed) this.dirty.add(recording);
    if (this.failure !== undefined && before === undefined)
      process.stderr.write(
        `debug-bridge: recording failed: ${this.failure}; it is tried again every second\n`,
      );
    else if (this.failure === undefined && before !== undefined)
      process.stderr.write("debug-bridge: recording continues\n");
  }

  /** Longer after a failure, but nobody who closes waits for that. */
  private async pause(): Promise<void> {
    for (const ends = steadyNow() + (this.failure === undefined ? BATCH_MS : RETRY_MS); ; ) {
      await sleep(BATCH_MS);
      if (this.isClosing || steadyNow() >= ends) return;
    }
  }

  /** Writes what waits of a recording. Rejects when some of it still waits. */
  private async flush(recording: Recording): Promise<void> {
    const folder = this.folderOf(recording);
    const { session, lines } = recording;
    recording.lines = [];
    const { left, error } = lines.length > 0 ? await folder.append(lines) : { left: [] };
    recording.lines = [...left, ...recording.lines];
    this.pending -= sizeOf(lines) - sizeOf(left);
    if (error) throw error;
    if (recording.dropped > 0) {
      this.addGap(recording, session.id, session.timeline.sequence + 1);
      this.dirty.add(recording);
    }
    await Promise.all([recording.pictures?.settled(), recording.replay?.settled()]);
    if (recording.ended && recording.lines.length === 0) folder.end();
  }

  private giveUp(failed: readonly Recording[]): void {
    const lost = failed.reduce((count, { lines, dropped }) => count + lines.length + dropped, 0);
    if (lost > 0)
      process.stderr.write(
        `debug-bridge: ${lost} records are missing in recordings, since the disk did not take them\n`,
      );
  }

  /** Pictures are left out while the disk does not take even their folder. */
  private unlessFull<Folder>(open: () => Folder): Folder | undefined {
    try {
      return open();
    } catch {
      return undefined;
    }
  }

  private folderOf(recording: Recording): SessionFolder {
    const { id: sessionId, kind } = recording.session;
    recording.folder ??= SessionFolder.create(this.home, { sessionId, kind });
    return recording.folder;
  }
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((size, line) => size + line.length, 0);
}
