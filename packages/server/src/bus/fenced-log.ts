import { readOwner, writeFence } from "./batches.js";
import type { DurableLog } from "./bus.js";
import { busLost, type Place } from "./places.js";

type Owner = Pick<Place, "life" | "term" | "hub">;

/** How often somebody else may be faster. */
const MAX_TRIES = 20;

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
   * Keeps hubs that had a session before from storing anything more, and reads what they have stored. `end`: the number of the newest
   * text. Of several hubs that take a session over at the same moment, the first one to write gets it: a cluster of NATS 2.9 checks
   * values before it orders them, and so can answer several hubs that their compare-and-set was successful.
   */
  async takeOver(sessionId: string, owner: Owner): Promise<{ texts: string[]; end: number }> {
    const end = await this.fence(sessionId, owner);
    const texts = await this.log.read(sessionId, end);
    const isOfTerm = ({ life, term }: Pick<Place, "life" | "term">): boolean =>
      life === owner.life && term === owner.term;
    const first = texts.map(readOwner).find((each) => each !== undefined && isOfTerm(each));
    if (first?.hub !== owner.hub) throw new Fenced();
    return { texts, end };
  }

  private async fence(sessionId: string, owner: Owner): Promise<number> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const newest = await this.log.newest(sessionId);
      const last = newest && readOwner(newest.text);
      if (last?.life === owner.life && last.term > owner.term) throw new Fenced();
      const number = await this.log.append(sessionId, writeFence(owner), newest?.number ?? 0);
      if (number !== undefined) return number;
    }
    throw busLost();
  }

  /** After which text the next one comes. A text of this hub whose confirmation was lost is stored, too. */
  private async findEnd(sessionId: string, owner: Owner): Promise<number> {
    const newest = await this.log.newest(sessionId);
    const last = newest && readOwner(newest.text);
    // Nothing is there any more, or something of another session with this id: the order of terms says nothing then.
    const isOwn = last?.life === owner.life ? last.term <= owner.term : await this.isOwn(sessionId);
    if (!isOwn) throw new Fenced();
    return newest?.number ?? 0;
  }
}
