import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { debugPaths, FileTimeline } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { PagedTimeline } from "@debug-bridge/protocol/timeline";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import type { Recorder } from "./recorder.js";
import { WindowTimeline } from "./window-timeline.js";

/** Recordings that are kept open: their numbers take 36 bytes for each record. */
const MAX_RECORDINGS = 4;
/** A session is read again from its window when this many of the listed records are gone. */
const MAX_GONE = 5_000;

/** How long a reader waits for records on their way to disk. */
const MAX_WRITE_MS = 500;

/** A timeline that is read in pages. */
export interface ReadTimeline {
  readonly paged: PagedTimeline;
  /** Another number means that rows are counted differently than before. */
  readonly generation: number;
  /** Resolves when what was recorded so far can be read, or after a moment. */
  readonly ready?: () => Promise<void>;
  /** Calls back for every new record; returns a function that stops it. Only live sessions have new ones. */
  readonly follow?: (onRecord: () => void) => () => void;
}

/** The timelines of live sessions and of recordings, for readers who page through them. */
export class TimelineReaders {
  private readonly live = new WeakMap<
    Session,
    { window: WindowTimeline; paged: PagedTimeline; generation: number; recording?: string }
  >();
  private readonly recordings = new Map<string, { file: FileTimeline; paged: PagedTimeline }>();

  constructor(
    private readonly sessions: Sessions,
    private readonly home: string,
    private readonly recorder: Recorder,
  ) {}

  readonly ofSession = (id: string): ReadTimeline => {
    const session = this.sessions.require(id);
    const recording = this.recorder.recordingOf(session);
    let read = this.live.get(session);
    // From a recording on, rows are counted from its start.
    if (!read || read.window.gone > MAX_GONE || read.recording !== recording) {
      const window = new WindowTimeline(session.timeline);
      const generation = (read?.generation ?? 0) + 1;
      read = { window, paged: new PagedTimeline(window), generation, ...(recording && { recording }) };
      this.live.set(session, read);
    }
    const follow = (onRecord: () => void): (() => void) => {
      const stop = session.subscribe(onRecord);
      return () => {
        stop();
        this.sessions.releaseIfIdle(session);
      };
    };
    const { generation } = read;
    if (recording === undefined) return { paged: read.paged, generation, follow };
    // What left the hub's window is still on disk.
    const ready = (): Promise<void> => Promise.race([this.recorder.written(), sleep(MAX_WRITE_MS)]);
    return { paged: this.ofRecording(recording).paged, generation, follow, ready };
  };

  readonly ofRecording = (id: string): ReadTimeline => {
    const open = this.recordings.get(id) ?? this.open(id);
    this.recordings.delete(id);
    this.recordings.set(id, open);
    for (const [oldest, { file }] of this.recordings) {
      if (this.recordings.size <= MAX_RECORDINGS) break;
      this.recordings.delete(oldest);
      file.close();
    }
    return { paged: open.paged, generation: 1 };
  };

  close(): void {
    for (const { file } of this.recordings.values()) file.close();
    this.recordings.clear();
  }

  private open(id: string): { file: FileTimeline; paged: PagedTimeline } {
    try {
      // An id is a name in a folder, never a path.
      if (basename(id) !== id || id.startsWith(".")) throw new Error("not a name");
      const file = new FileTimeline(join(debugPaths(this.home).sessions, id, "events.jsonl"));
      return { file, paged: new PagedTimeline(file) };
    } catch {
      throw new BridgeError(
        "session_not_found",
        `recording "${id}" cannot be read; GET /v1/recordings lists those that exist`,
      );
    }
  }
}
