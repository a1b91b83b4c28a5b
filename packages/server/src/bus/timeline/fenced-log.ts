import type { DurableLog, StoredText } from "../bus.js";
import { busLost, type Place } from "../members/places.js";
import { type Continuation, readContinuation, readOwner, writeFence } from "./batches.js";
import { DESCRIBING } from "./page-texts.js";

type Owner = Pick<Place, "life" | "term" | "hub">;

/** How often somebody else may be faster. */
const MAX_TRIES = 20;

/** For a session of which nothing is stored. */
const NOTHING: Continuation = { last: 0, lastSeqs: [], pages: [], entries: [] };

/** A session that this hub has taken over. */
export interface TakenOver {
  /** The number of the newest text, which this hub wrote. */
  readonly end: number;
  /** With what the session can be continued; else `texts` has everything that was stored. */
  readonly from: Continuation | undefined;
  readonly texts: readonly StoredText[];
}

/** Another hub has the session by now: nothing more is stored of it from here, and nothing may be acknowledged. */
export class Fenced extends Error {}

/**
 * Writes the texts of sessions so that only the hub that has a session can: each text says after which one it comes, and a hub that
 * takes a session over writes one first. So what the hub before stored is read by the next one, and what comes later is refused.
 */
export class FencedLog {
  constructor(
    private readonly log: DurableLog,
    /** Asks the registry whether this hub still has a session. */
    private readonly isOwn: (sessionId: string) => Promise<boolean>,
  ) {}

  /** Stores a text after the one with a number, as far as is known, and returns its own number. */
  async append(sessionId: string, owner: Owner, text: string, after: number): Promise<number> {
    for (let [tries, end] = [0, after]; tries < MAX_TRIES; tries++) {
      const number = await this.log.append(sessionId, text, end);
      if (number !== undefined) return number;
      end = await this.findEnd(sessionId, owner);
    }
    throw busLost();
  }

  /**
   * Keeps hubs that had a session before from storing anything more, and reads with what it can be continued. Of several hubs that
   * take a session over at the same moment, the first one to write gets it: a cluster of NATS 2.9 checks values before it orders them,
   * and so can answer several hubs that their compare-and-set was successful.
   */
  async takeOver(sessionId: string, owner: Owner): Promise<TakenOver> {
    const { end, before, from } = await this.fence(sessionId, owner);
    // Nothing came between the text that was the newest and the one of this hub.
    if (from && (await this.log.next(sessionId, before))?.number === end) return { end, from, texts: [] };
    const texts = await this.log.read(sessionId, end);
    const isOfTerm = ({ life, term }: Pick<Place, "life" | "term">): boolean =>
      life === owner.life && term === owner.term;
    const first = texts
      .map(({ text }) => readOwner(text))
      .find((each) => each !== undefined && isOfTerm(each));
    if (first?.hub !== owner.hub) throw new Fenced();
    // The text of this hub does not count what came between: the next hub must not continue with it.
    const last = from ? await this.append(sessionId, owner, writeFence(owner), end) : end;
    return { end: last, from: undefined, texts };
  }

  private async fence(
    sessionId: string,
    owner: Owner,
  ): Promise<{ end: number; before: number; from: Continuation | undefined }> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const newest = await this.log.newest(sessionId);
      const last = newest && readOwner(newest.text);
      if (last?.life === owner.life && last.term > owner.term) throw new Fenced();
      const before = newest?.number ?? 0;
      const from = continuationOf(newest, owner);
      const end = await this.log.append(sessionId, writeFence(owner, from), before);
      if (end !== undefined) return { end, before, from };
    }
    throw busLost();
  }

  /** After which text the next one comes. A text of this hub whose confirmation was lost is stored, too. */
  private async findEnd(sessionId: string, owner: Owner): Promise<number> {
    const newest = await this.log.newest(sessionId);
    const last = newest && readOwner(newest.text);
    // Nothing is there, or something of another session with this id: the order of terms says nothing then.
    const isOwn = last?.life === owner.life ? last.term <= owner.term : await this.isOwn(sessionId);
    if (!isOwn) throw new Fenced();
    return newest?.number ?? 0;
  }
}

/**
 * With what a session can be continued after its newest text. Only the hub of the term before can have written the last word: a text of
 * an earlier term can be one that NATS 2.9 let pass after that hub had taken the session over.
 */
function continuationOf(newest: StoredText | undefined, owner: Owner): Continuation | undefined {
  if (!newest) return NOTHING;
  const last = readOwner(newest.text);
  if (last?.life !== owner.life || last.term !== owner.term - 1) return undefined;
  const from = readContinuation(newest.text);
  const describes = from?.entries.some(({ type }) => DESCRIBING.has(type));
  return from && describes ? { ...from, pages: [...new Set([...from.pages, newest.number])] } : from;
}
