import { imageInfo } from "@debug-bridge/journal";
import { parseOrNothing } from "@debug-bridge/protocol/timeline";
import { ByteBudget } from "../bounds/byte-budget.js";
import { HUB_LIMITS } from "../bounds/limits.js";
import { HUB } from "../dispatch/command-dispatcher.js";
import type { PictureMessage } from "../sessions/records/picture-message.js";
import type { Session } from "../sessions/session.js";
import type { Recorder } from "../timeline/recorder.js";
import { type KeptPicture, PictureRing } from "./picture-ring.js";
import { ReplayRing, type ReplaySegment } from "./replay-ring.js";

/** A page is watched a little longer than somebody looks: a reader that reconnects loses nothing. */
const UNWATCH_DELAY_MS = 3_000;
/** A client that polls counts as a viewer for this long after each request. */
const REQUEST_WATCH_MS = 3_000;
/** A client that requested the pictures of an edit will probably edit again. */
const EDIT_WATCH_MS = 5 * 60_000;
/** Pages stop by themselves when the watch is not renewed. */
const WATCH_RENEW_INTERVAL_MS = 10_000;

type Listener = (at: number) => void;

/** What is kept of one session beside its timeline. */
interface SessionPictures {
  readonly ring: PictureRing;
  readonly replay: ReplayRing;
  readonly listeners: Set<Listener>;
  isWatched: boolean;
  /** When the newest picture or change came. */
  changedAt: number | undefined;
  /** For a client that polls; ends when it stops. */
  shortWatch: { timer: NodeJS.Timeout; readonly end: () => void } | undefined;
  /** For a client that waits for an edit; lasts some minutes. */
  editWatch: SessionPictures["shortWatch"];
  timer: NodeJS.Timeout | undefined;
  again: NodeJS.Timeout | undefined;
}

/**
 * Pictures of pages. Pages send them only while somebody looks at their session or records it. The newest are kept in
 * memory, and those of recordings on disk.
 */
export class PictureStore {
  private readonly kept = new Map<Session, SessionPictures>();
  private readonly budget = new ByteBudget(HUB_LIMITS.pictures);

  constructor(private readonly recorder: Recorder) {}

  /** Somebody looks: calls back with the time of each new picture. Returns how to stop. */
  look(session: Session, onPicture: Listener): () => void {
    const kept = this.of(session);
    kept.listeners.add(onPicture);
    if (session.appCount > 0) this.send(session, kept, true, kept.isWatched);
    return () => {
      kept.listeners.delete(onPicture);
      this.review(session);
    };
  }

  /** Watches the session for a moment after a request of a client that polls. Returns when the newest picture or change came. */
  shortWatch(session: Session): number | undefined {
    this.watchFor(session, "shortWatch", REQUEST_WATCH_MS);
    return this.of(session).changedAt;
  }

  /** Watches the session for some minutes, whether or not somebody looks. */
  editWatch(session: Session): void {
    this.watchFor(session, "editWatch", EDIT_WATCH_MS);
  }

  private watchFor(session: Session, why: "shortWatch" | "editWatch", ms: number): void {
    const kept = this.of(session);
    const end = kept[why]?.end ?? this.look(session, () => {});
    clearTimeout(kept[why]?.timer);
    const timer = setTimeout(() => {
      kept[why] = undefined;
      end();
    }, ms).unref();
    kept[why] = { timer, end };
  }

  /** The pictures of a session that are still in memory, oldest first. */
  pictures(session: Session): readonly KeptPicture[] {
    return this.kept.get(session)?.ring.all() ?? [];
  }

  /** The same for changes of the DOM. */
  replay(session: Session): readonly ReplaySegment[] {
    return this.kept.get(session)?.replay.all() ?? [];
  }

  /** A page of the session said hello: it does not know yet that it is watched. */
  onPage(session: Session): void {
    if (!this.isWanted(session)) return;
    const kept = this.of(session);
    this.send(session, kept, true);
  }

  /** Somebody began or ended to record the session. */
  onRecording(session: Session): void {
    const replay = this.recorder.replayFolder(session);
    if (replay)
      for (const { at, parts, end } of this.replay(session)) {
        parts.forEach((events, index) => {
          replay.add(at, events, index === 0);
        });
        if (end !== undefined) replay.end(end);
      }
    const folder = this.recorder.pictureFolder(session);
    if (folder)
      for (const { at, bytes } of this.pictures(session))
        bytes.length > 0 ? folder.add(at, bytes) : folder.end(at);
    this.review(session);
  }

  /** A page sent a picture. One that nobody asked for is not kept. */
  onPicture(session: Session, message: PictureMessage): void {
    const kept = this.kept.get(session);
    if (!kept?.isWatched) return;
    const at = Math.round(message.timestamp);
    if (message.type === "page_replay") {
      const { events, isStart = false } = message;
      if (!Array.isArray(parseOrNothing(events))) return;
      kept.replay.add(at, events, isStart);
      this.recorder.replayFolder(session)?.add(at, events, isStart);
    } else {
      const bytes = Buffer.from(message.data, "base64");
      if (imageInfo(bytes)?.mimeType !== "image/jpeg") return;
      kept.ring.add({ at, bytes });
      this.recorder.pictureFolder(session)?.add(at, bytes);
    }
    kept.changedAt = at;
    for (const listener of kept.listeners) listener(at);
  }

  /** The last page left, so that its pictures no longer show what there is. */
  onPeersChanged(session: Session): void {
    const kept = this.kept.get(session);
    if (kept && session.appCount === 0) this.end(session, kept);
  }

  forget(session: Session): void {
    const kept = this.kept.get(session);
    clearTimeout(kept?.timer);
    clearInterval(kept?.again);
    clearTimeout(kept?.shortWatch?.timer);
    clearTimeout(kept?.editWatch?.timer);
    kept?.ring.close();
    kept?.replay.close();
    this.kept.delete(session);
  }

  private isWanted(session: Session): boolean {
    if (session.kind === "agent") return false;
    return this.recorder.isRecording(session) || (this.kept.get(session)?.listeners.size ?? 0) > 0;
  }

  private review(session: Session): void {
    const kept = this.of(session);
    if (this.isWanted(session)) {
      clearTimeout(kept.timer);
      kept.timer = undefined;
      if (!kept.isWatched && session.appCount > 0) this.send(session, kept, true);
    } else if (kept.isWatched)
      kept.timer ??= setTimeout(() => {
        kept.timer = undefined;
        if (!this.isWanted(session)) this.send(session, kept, false);
      }, UNWATCH_DELAY_MS).unref();
  }

  private send(session: Session, kept: SessionPictures, on: boolean, again = false): void {
    if (on) kept.isWatched = true;
    else this.end(session, kept);
    if (on)
      kept.again ??= setInterval(() => this.send(session, kept, true, true), WATCH_RENEW_INTERVAL_MS).unref();
    const to = on ? { again } : { instanceId: "all" };
    // A page whose screenshots fail has none; nothing else depends on it.
    if (session.appCount > 0 && session.canBeWatched)
      void session.command({ type: "watch", on, ...to }, HUB).catch(() => {});
  }

  private end(session: Session, kept: SessionPictures): void {
    if (!kept.isWatched) return;
    kept.isWatched = false;
    clearInterval(kept.again);
    kept.again = undefined;
    const at = Date.now();
    kept.replay.end(at);
    this.recorder.replayFolder(session)?.end(at);
    if (kept.ring.all().length > 0) kept.ring.add({ at, bytes: Buffer.alloc(0) });
    this.recorder.pictureFolder(session)?.end(at);
  }

  private of(session: Session): SessionPictures {
    let kept = this.kept.get(session);
    if (!kept) {
      kept = {
        ring: new PictureRing(this.budget),
        replay: new ReplayRing(this.budget),
        listeners: new Set(),
        isWatched: false,
        changedAt: undefined,
        shortWatch: undefined,
        editWatch: undefined,
        timer: undefined,
        again: undefined,
      };
      this.kept.set(session, kept);
    }
    return kept;
  }
}
