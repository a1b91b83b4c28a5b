/** What one connection may cost in one turn of the event loop while others wait. One unit is a small message. */
const MAX_PER_CONNECTION = 128;
/** What all connections may cost together before those that already had their part wait for the next turn. */
const MAX_PER_TURN = 512;
/** What every connection gets in every turn, whatever the others do. */
const GUARANTEED = 8;

/** A connection whose messages wait for their turn. */
export interface Backlog {
  /** Handles the next message that waits; its cost, or `undefined` when none waits. */
  runNext(): number | undefined;
}

/** What a connection used of its part in the current turn. */
export class TurnShare {
  turn = 0;
  spent = 0;
}

/**
 * Divides the time of the hub between connections. One that sends without end gets its part of each turn; what
 * it sent beyond that waits, and is not even read from its socket, until the others were served.
 */
export class FairTurns {
  private turn = 1;
  private spent = 0;
  private isScheduled = false;
  private backlogs = new Map<Backlog, TurnShare>();

  /** Whether a message may be handled now; counts it if so. */
  admits(share: TurnShare, cost: number): boolean {
    if (share.turn !== this.turn) {
      share.turn = this.turn;
      share.spent = 0;
    }
    const isWithin =
      share.spent < GUARANTEED || (share.spent < MAX_PER_CONNECTION && this.spent < MAX_PER_TURN);
    if (!isWithin) return false;
    share.spent += cost;
    this.spent += cost;
    this.schedule();
    return true;
  }

  /** Handles what waits there in later turns. */
  enqueue(backlog: Backlog, share: TurnShare): void {
    this.backlogs.set(backlog, share);
    this.schedule();
  }

  dequeue(backlog: Backlog): void {
    this.backlogs.delete(backlog);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.nextTurn());
  }

  private nextTurn(): void {
    this.isScheduled = false;
    this.turn++;
    this.spent = 0;
    if (this.backlogs.size === 0) return;
    for (const [backlog, share] of [...this.backlogs]) this.run(backlog, share);
    if (this.backlogs.size > 0) this.schedule();
  }

  /** Those that still wait go to the end, so that in the next turn others come first. */
  private run(backlog: Backlog, share: TurnShare): void {
    this.backlogs.delete(backlog);
    while (this.admits(share, 0)) {
      const cost = backlog.runNext();
      if (cost === undefined) return;
      share.spent += cost;
      this.spent += cost;
    }
    this.backlogs.set(backlog, share);
  }
}
