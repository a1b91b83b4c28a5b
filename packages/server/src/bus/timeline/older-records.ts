import type { Session } from "../../sessions/session.js";
import type { DurableLog } from "../bus.js";
import { readBatches } from "./batches.js";

/** How many sessions are read at the same time: their hub has others to serve. */
const MAX_AT_ONCE = 4;
/** When nobody has asked for them: how long after the last session was taken over they are read. */
const QUIET_MS = 30_000;

interface Older {
  readonly life: string;
  /** The number of the newest text with older records. */
  readonly upTo: number;
  reading: Promise<void> | undefined;
}

/**
 * The records of sessions that this hub has taken over, as far as they were stored before. A session continues without them, so that
 * hubs with many sessions take them over fast; they are read when a client requests them, or when some time has passed.
 */
export class OlderRecords {
  private readonly unread = new Map<Session, Older>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Pick<DurableLog, "newest" | "read">) {}

  add(session: Session, older: Pick<Older, "life" | "upTo">): void {
    this.unread.set(session, { ...older, reading: undefined });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.readAll().catch(() => {}), QUIET_MS);
    this.timer.unref();
  }

  forget(session: Session): void {
    this.unread.delete(session);
  }

  /** Reads them, if some after `since` are missing; `undefined` if none are. */
  read(session: Session, since = 0): Promise<void> | undefined {
    const older = this.unread.get(session);
    if (!older || session.timeline.oldest <= since + 1) return undefined;
    older.reading ??= this.inTurn(() => this.load(session, older)).finally(() => {
      older.reading = undefined;
    });
    return older.reading;
  }

  /** Those of all sessions; what cannot be read now is left out, and read later. */
  async readAll(): Promise<void> {
    await Promise.allSettled([...this.unread.keys()].map((session) => this.read(session)));
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async load(session: Session, older: Older): Promise<void> {
    // Texts leave after a time. If there are none, nothing can be waited for.
    const texts = (await this.log.newest(session.id)) ? await this.log.read(session.id, older.upTo) : [];
    if (this.unread.get(session) !== older) return;
    session.timeline.restore(readBatches(texts, older.life).entries);
    this.unread.delete(session);
  }

  private async inTurn(run: () => Promise<void>): Promise<void> {
    if (this.running >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      await run();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
