import { APP_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { appMessageSchema, decode } from "@debug-bridge/protocol/schemas";
import type { Session } from "../sessions/session.js";
import type { Entry } from "../timeline/timeline.js";
import { readBatches, writeBatch } from "./batches.js";
import { type DurableLog, MAX_BUS_MESSAGE } from "./bus.js";
import type { Claim } from "./directory.js";

/** Records that follow each other closely are stored together. */
const BATCH_MS = 10;
/** How soon it tries again when the bus stores nothing. */
const RETRY_MS = 500;
/** Characters that wait to be stored, of all sessions; what comes beyond is not stored, which is reported once. */
const MAX_PENDING = 32_000_000;
const MAX_BATCH = MAX_BUS_MESSAGE / 3;

/** Messages that describe the page, for agents that join before it is back. */
const DESCRIBING: ReadonlySet<string> = new Set(["hello", "navigation", "capabilities"]);

interface Pending {
  entries: Entry[];
  characters: number;
}

/** Stores the timelines of this hub's sessions on the bus, and reads those of hubs that are gone. */
export class SessionLog {
  private readonly pending = new Map<Session, Pending>();
  private characters = 0;
  private storing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private hasWarned = false;

  constructor(
    private readonly log: DurableLog,
    private readonly claimOf: (sessionId: string) => Claim | undefined,
  ) {}

  append(session: Session, entry: Entry): void {
    if (this.characters > MAX_PENDING) {
      this.warn("the bus is too slow to store all records; some will be missing after a hub is lost");
      return;
    }
    const pending = this.pending.get(session) ?? { entries: [], characters: 0 };
    this.pending.set(session, pending);
    pending.entries.push(entry);
    pending.characters += entry.json.length;
    this.characters += entry.json.length;
    this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  /** The session is not this hub's any more. */
  forget(session: Session): void {
    this.characters -= this.pending.get(session)?.characters ?? 0;
    this.pending.delete(session);
  }

  /** Resolves when everything is stored that was appended before. */
  async settled(): Promise<void> {
    while (this.timer || this.storing) {
      if (this.timer) this.flush();
      await this.storing;
    }
  }

  /** Reads what another hub stored of a session. The result continues the session: its records, and what its pages have sent. */
  async read(sessionId: string, { life }: Claim): Promise<(session: Session) => void> {
    const { entries, lastSeqs } = readBatches(await this.log.read(sessionId), life);
    return (session) => {
      session.timeline.restore(entries);
      session.pages.deduplicator.restore(lastSeqs);
      for (const { type, json } of entries) {
        if (!DESCRIBING.has(type)) continue;
        const message = decode(appMessageSchema, json, APP_MESSAGE_LIMITS);
        if (message.ok) session.pages.newest.update(message.value, json);
      }
    };
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.storing ??= this.store().then((isStored) => {
      this.storing = undefined;
      if (this.pending.size > 0)
        this.timer ??= setTimeout(() => this.flush(), isStored ? BATCH_MS : RETRY_MS);
    });
  }

  /** False when something has to be stored again. */
  private async store(): Promise<boolean> {
    const batches = [...this.pending];
    this.pending.clear();
    const results = await Promise.all(batches.map(([session, batch]) => this.storeBatch(session, batch)));
    return results.every(Boolean);
  }

  private async storeBatch(session: Session, batch: Pending): Promise<boolean> {
    const claim = this.claimOf(session.id);
    try {
      const lastSeqs = session.pages.deduplicator.snapshot();
      const texts = claim ? writeBatch(claim, batch.entries, lastSeqs, MAX_BATCH) : [];
      await Promise.all(texts.map((text) => this.log.append(session.id, text)));
      this.characters -= batch.characters;
      return true;
    } catch {
      // Whoever reads ignores what was stored twice.
      const newer = this.pending.get(session);
      this.pending.set(session, {
        entries: [...batch.entries, ...(newer?.entries ?? [])],
        characters: batch.characters + (newer?.characters ?? 0),
      });
      return false;
    }
  }

  private warn(text: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    process.stderr.write(`debug-bridge: ${text}\n`);
  }
}
