import { setTimeout as sleep } from "node:timers/promises";
import { CHAIN_LIMITS } from "@debug-bridge/protocol";
import { steadyNow } from "../bounds/steady-clock.js";
import { HUB } from "../dispatch/command-dispatcher.js";
import type { Session } from "../sessions/session.js";

/** How long chains are kept after somebody asked why. */
const CHAIN_TIMEOUT_MS = 300_000;
/** A page that does not answer by then keeps none, as far as is known. */
const ANSWER_TIMEOUT_MS = 3_000;

/** Whether the pages of a session keep chains now, and why not. */
export interface ChainState {
  /** Since when, in milliseconds since the epoch. */
  readonly since?: number;
  readonly refused?: string;
}

/** Has pages keep how their code came to run, while somebody wants to know it: for a while after a question, and while they are recorded. */
export class KeptChains {
  /** Until when, for whom. */
  private readonly asked = new WeakMap<Session, number>();
  private readonly recorded = new WeakMap<Session, number>();
  /** The last command to the pages of a session, while it is open. */
  private readonly open = new WeakMap<Session, Promise<unknown>>();

  /** A client asks why something happened. */
  ask(session: Session): Promise<ChainState> {
    this.asked.set(session, steadyNow() + CHAIN_TIMEOUT_MS);
    return this.send(session);
  }

  /** A recording that is asked later needs the chains of now. */
  record(session: Session): Promise<ChainState> {
    this.recorded.set(session, steadyNow() + CHAIN_LIMITS.keptMs);
    return this.send(session);
  }

  /** The recording has ended. Clients that asked before still get an answer. */
  stopRecording(session: Session): void {
    if (this.recorded.delete(session)) void this.send(session);
  }

  /** Resolves when pages that were asked keep chains, or do not answer; `undefined` when there is nothing to wait for. */
  ready(session: Session): Promise<void> | undefined {
    const open = this.open.get(session);
    if (!open) return undefined;
    const late = sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false });
    return Promise.race([open, late]).then(() => {});
  }

  /** A page connected, which knows nothing of what was wanted of the one before. */
  onHello(session: Session, isRecorded: boolean): void {
    // A tab that nobody chose is not attached for it.
    if (this.left(session) > 0) void this.send(session);
    else if (isRecorded && session.kind !== "tab") void this.record(session);
  }

  private left(session: Session): number {
    const until = Math.max(this.asked.get(session) ?? 0, this.recorded.get(session) ?? 0);
    return Math.max(0, until - steadyNow());
  }

  private send(session: Session): Promise<ChainState> {
    const open = this.command(session, this.left(session)).finally(() => {
      if (this.open.get(session) === open) this.open.delete(session);
    });
    this.open.set(session, open);
    return open;
  }

  private async command(session: Session, forMs: number): Promise<ChainState> {
    if (session.kind === "agent") return { refused: "an agent has no page" };
    // After the record that led here is in the timeline.
    await Promise.resolve();
    const command = { type: "keep_chains", forMs, instanceId: "all", timeoutMs: ANSWER_TIMEOUT_MS };
    try {
      if (session.appCount === 0) return { refused: "no page is connected" };
      const { success, message, value } = await session.command(command, HUB);
      if (!success) return { refused: message ?? "the page refused it" };
      const { since, stopped } = (value ?? {}) as { since?: unknown; stopped?: unknown };
      if (typeof stopped === "string") return { refused: stopped.slice(0, 300) };
      return typeof since === "number" ? { since } : { refused: "the page keeps none" };
    } catch (thrown) {
      return { refused: (thrown as Error).message };
    }
  }
}
