import type { RelayCore } from "../relay-core.js";
import type { ChromeSession } from "../tabs/tab.js";

/** Code that only reads is done by then, or it loops. */
const READ_TIMEOUT_MS = 5_000;
/** A page that is not busy answers sooner. */
const PROBE_TIMEOUT_MS = 1_000;

interface Running {
  readonly chrome: ChromeSession;
  since: number;
  probedAt?: number | undefined;
}

/**
 * Ends code of a client that may only look when it loops: `Runtime.callFunctionOn` has no timeout of its own, and such a
 * client may not end it. Code that waits, and lets the page go on, may take as long as it likes.
 */
export class ReadWatch {
  private readonly running = new Set<Running>();

  constructor(private readonly relay: RelayCore) {}

  /** The returned function must be called when the code has ended. */
  begin(chrome: ChromeSession): () => void {
    const entry: Running = { chrome, since: this.relay.now() };
    this.running.add(entry);
    return () => this.running.delete(entry);
  }

  /** Call it a few times a second. */
  expire(now: number): void {
    for (const entry of this.running) {
      if (entry.probedAt === undefined) {
        if (now - entry.since > READ_TIMEOUT_MS) this.probe(entry, now);
      } else if (now - entry.probedAt > PROBE_TIMEOUT_MS) {
        this.running.delete(entry);
        this.send(entry.chrome, "Runtime.terminateExecution", {}, () => {});
      }
    }
  }

  private probe(entry: Running, now: number): void {
    entry.probedAt = now;
    this.send(entry.chrome, "Runtime.evaluate", { expression: "0" }, () => {
      entry.probedAt = undefined;
      entry.since = this.relay.now();
    });
  }

  private send(chrome: ChromeSession, method: string, params: object, done: () => void): void {
    this.relay.command(chrome, method, JSON.stringify(params), done, { own: true });
  }
}
