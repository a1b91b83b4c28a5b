import { APP_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { appMessageSchema, decode } from "@debug-bridge/protocol/schemas";
import { steadyNow } from "../../bounds/steady-clock.js";
import type { Hold } from "../../sessions/records/held-records.js";
import type { Session } from "../../sessions/session.js";
import type { Entry } from "../../timeline/timeline.js";
import { type DurableLog, MAX_BUS_MESSAGE, type StoredText } from "../bus.js";
import type { Claim } from "../members/directory.js";
import { type Batch, readBatches, readEntries, writeBatches } from "./batches.js";
import { Fenced, FencedLog } from "./fenced-log.js";
import { OlderRecords } from "./older-records.js";
import { DESCRIBING, PageTexts } from "./page-texts.js";

/** Records that follow each other closely are stored together. */
const BATCH_MS = 10;
/** Somebody waits for these: they are stored at once. */
const URGENT: ReadonlySet<string> = new Set(["command_result"]);
/** How long clients that wait for answers are kept waiting for a bus that stores nothing. Readers wait until it does. */
const MAX_HOLD_MS = 2_000;
/** How soon it tries again when the bus stores nothing. */
const RETRY_MS = 500;
const CLOSE_RETRY_MS = 50;
/** Characters that wait to be stored, of all sessions. What comes beyond is dropped, and a `gap` record counts it. */
const MAX_PENDING = 32_000_000;
const MAX_BATCH = MAX_BUS_MESSAGE / 3;

interface Pending {
  entries: Entry[];
  characters: number;
  /** When the first of them was written. */
  readonly since: number;
}

/** Which sessions this hub has. */
export interface OwnSessions {
  claimOf(sessionId: string): Claim | undefined;
  /** Asks the registry whether this hub still has a session. */
  isOwn(sessionId: string): Promise<boolean>;
  /** Another hub has a session that this hub had. */
  giveUp(sessionId: string): void;
}

/** Stores the timelines of this hub's sessions on the bus, and reads those of hubs that are gone. */
export class SessionLog {
  private readonly pending = new Map<Session, Pending>();
  private characters = 0;
  private storing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isUrgent = false;
  private isClosed = false;
  /** Whether the bus has stored nothing for a while: no answer is kept waiting until it does. */
  private isAway = false;
  private hasWarned = false;
  private readonly fenced: FencedLog;
  /** The number of the newest text of each session, as far as this hub knows. */
  private readonly ends = new WeakMap<Session, number>();
  private readonly pages = new WeakMap<Session, PageTexts>();
  readonly older: OlderRecords;

  constructor(
    private readonly log: DurableLog,
    private readonly own: OwnSessions,
  ) {
    this.fenced = new FencedLog(log, (sessionId) => own.isOwn(sessionId));
    this.older = new OlderRecords(log);
  }

  /** Whether no more records can wait to be stored. */
  get isFull(): boolean {
    if (this.characters <= MAX_PENDING) return false;
    this.warn("the bus is too slow to store all records; some are dropped, and gap records count them");
    return true;
  }

  /** Stores a record soon. */
  append(session: Session, entry: Entry): Hold {
    const pending = this.pending.get(session) ?? { entries: [], characters: 0, since: steadyNow() };
    this.pending.set(session, pending);
    pending.entries.push(entry);
    pending.characters += entry.json.length;
    this.characters += entry.json.length;
    if (URGENT.has(entry.type) && !this.isUrgent) {
      this.isUrgent = true;
      if (!this.storing) setImmediate(() => this.flush());
    }
    this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
    return this.isAway ? "readers" : "readers and answers";
  }

  /** The session is no longer this hub's. */
  forget(session: Session): void {
    this.characters -= this.pending.get(session)?.characters ?? 0;
    this.pending.delete(session);
    this.older.forget(session);
  }

  /** Stores what waits, as far as the bus does that in this time, and nothing after that. */
  async close(timeoutMs: number): Promise<void> {
    for (const ends = steadyNow() + timeoutMs; this.pending.size > 0 || this.storing; ) {
      if (!this.storing) this.flush();
      const left = ends - steadyNow();
      if (left <= 0) break;
      await Promise.race([this.storing, pause(left)]);
      // A bus that is gone refuses at once, again and again.
      if (this.pending.size > 0) await pause(Math.min(left, CLOSE_RETRY_MS));
    }
    this.isClosed = true;
    clearTimeout(this.timer);
    this.older.close();
  }

  /**
   * Keeps another hub from storing more of a session, and reads what it has stored: of the records the newest ones, the others later.
   * The result continues the session.
   */
  async read(sessionId: string, claim: Claim): Promise<(session: Session) => void> {
    const { texts, end, from } = await this.fenced.takeOver(sessionId, claim);
    const { entries, lastSeqs } = from ?? readBatches(texts, claim.life);
    const describing = from ? await this.readPages(sessionId, from.pages) : texts;
    return (session) => {
      this.ends.set(session, end);
      session.timeline.restore(entries);
      if (from) session.timeline.beginAfter(from.last);
      session.pages.deduplicator.restore(lastSeqs);
      for (const { number, text } of describing)
        this.describe(session, number, readEntries(text, claim.life));
      if (from && session.timeline.oldest > 1) this.older.add(session, { life: claim.life, upTo: end });
    };
  }

  /** The texts that describe the page of a session, as far as they are still stored. */
  private async readPages(sessionId: string, numbers: readonly number[]): Promise<StoredText[]> {
    const found = await Promise.all(numbers.map((number) => this.log.next(sessionId, number - 1)));
    return found.filter((text) => text !== undefined && numbers.includes(text.number)) as StoredText[];
  }

  private describe(session: Session, number: number, entries: readonly Entry[]): void {
    this.pagesOf(session).add(number, entries);
    for (const { type, json } of entries) {
      if (!DESCRIBING.has(type)) continue;
      const message = decode(appMessageSchema, json, APP_MESSAGE_LIMITS);
      if (message.ok) session.pages.newest.update(message.value, json);
    }
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isClosed) return;
    this.storing ??= this.store().then((isStored) => {
      this.storing = undefined;
      if (this.pending.size === 0 || this.isClosed) return;
      if (isStored && this.isUrgent) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), isStored ? BATCH_MS : RETRY_MS);
    });
  }

  /** False when something has to be stored again. */
  private async store(): Promise<boolean> {
    const batches = [...this.pending];
    this.pending.clear();
    this.isUrgent = false;
    const results = await Promise.all(batches.map(([session, batch]) => this.storeBatch(session, batch)));
    return results.every(Boolean);
  }

  private async storeBatch(session: Session, batch: Pending): Promise<boolean> {
    const claim = this.own.claimOf(session.id);
    const last = Math.max(...batch.entries.map(({ sequence }) => sequence));
    const holdsFor = (): number => Math.max(0, batch.since + MAX_HOLD_MS - steadyNow());
    const stopHolding = (): void => {
      this.isAway = true;
      session.held.answer(last);
    };
    const late = setTimeout(stopHolding, holdsFor());
    try {
      const head = { lastSeqs: session.pages.deduplicator.snapshot(), pages: this.pagesOf(session).list() };
      const batches = claim ? writeBatches(claim, batch.entries, head, MAX_BATCH) : [];
      for (const each of batches) await this.storeText(session, claim as Claim, each);
      this.characters -= batch.characters;
      this.isAway = false;
      session.held.release(last);
      return true;
    } catch (thrown) {
      if (thrown instanceof Fenced) {
        this.characters -= batch.characters;
        this.own.giveUp(session.id);
        return true;
      }
      // A bus without a leader refuses at once, again and again.
      if (holdsFor() === 0) stopHolding();
      // Readers ignore what was stored twice.
      const newer = this.pending.get(session);
      this.pending.set(session, {
        entries: [...batch.entries, ...(newer?.entries ?? [])],
        characters: batch.characters + (newer?.characters ?? 0),
        since: batch.since,
      });
      return false;
    } finally {
      clearTimeout(late);
    }
  }

  private async storeText(session: Session, claim: Claim, { text, entries }: Batch): Promise<void> {
    const after = this.ends.get(session) ?? 0;
    const number = await this.fenced.append(session.id, claim, text, after);
    this.ends.set(session, number);
    this.pagesOf(session).add(number, entries);
  }

  private pagesOf(session: Session): PageTexts {
    const pages = this.pages.get(session) ?? new PageTexts();
    this.pages.set(session, pages);
    return pages;
  }

  private warn(text: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    process.stderr.write(`debug-bridge: ${text}\n`);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
