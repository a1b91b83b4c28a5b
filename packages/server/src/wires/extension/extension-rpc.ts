import type { CdpFailure } from "../../relay/wire/messages.js";
import { failure, readFailure } from "../../relay/wire/messages.js";

/** How a command to the extension ended: its result as JSON, or why there is none. */
type Outcome =
  | { readonly ok: true; readonly body: string }
  | { readonly ok: false; readonly error: CdpFailure };
export type Done = (outcome: Outcome) => void;

interface Waiting {
  readonly since: number;
  readonly method: string;
  readonly params: string;
  readonly done: Done;
}

/** How long a command waits for an extension that is away: long enough for a worker that was stopped to come back. */
const PATIENCE_MS = 4_000;

/**
 * Commands to the extension and their answers. Unlike the `Correlator` it answers in the very turn in which the reply
 * arrives: an event that comes in right after it must not overtake it (see docs/decisions/007-replies-in-order.md).
 */
export class ExtensionRpc {
  private send: ((text: string) => void) | undefined;
  private isReady = false;
  private nextId = 1;
  private readonly pending = new Map<number, Done>();
  private waiting: Waiting[] = [];

  constructor(private readonly now: () => number) {}

  get connected(): boolean {
    return this.send !== undefined;
  }

  get ready(): boolean {
    return this.isReady;
  }

  get pendingCount(): number {
    return this.pending.size + this.waiting.length;
  }

  /** An extension is there. Only urgent commands go out until `open`. */
  connect(send: (text: string) => void): void {
    this.send = send;
    this.isReady = false;
  }

  open(): void {
    this.isReady = true;
    const { waiting } = this;
    this.waiting = [];
    for (const { method, params, done } of waiting) this.put(method, params, done);
  }

  /** Asks for something; while the extension is away, the command waits a while. */
  ask(method: string, params: string, done: Done): void {
    if (this.isReady) this.put(method, params, done);
    else this.waiting.push({ since: this.now(), method, params, done });
  }

  /** Asks at once, ahead of what waits: what has to be known before the rest may go on. */
  askFirst(method: string, params: string, done: Done): void {
    if (this.send) this.put(method, params, done);
    else done({ ok: false, error: away() });
  }

  /** Says something that has no answer. */
  tell(method: string, params?: object): void {
    this.send?.(JSON.stringify(params ? { method, params } : { method }));
  }

  /** Delivers an answer; false when nobody waits for it. */
  answer(id: number, ok: boolean, body: string): boolean {
    const done = this.pending.get(id);
    if (!done) return false;
    this.pending.delete(id);
    done(ok ? { ok, body } : { ok, error: readFailure(errorText(body)) });
    return true;
  }

  /** The extension vanished. Whether it ran what it was asked cannot be known. */
  lose(reason: string): void {
    this.send = undefined;
    this.isReady = false;
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const done of lost) {
      done({
        ok: false,
        error: failure(
          "outcome_unknown",
          `the extension vanished before it answered (${reason}): outcome unknown, the command may or may not have run. Look before you repeat it`,
        ),
      });
    }
  }

  /** Gives up on what has waited too long for an extension. */
  expire(): void {
    if (this.isReady || this.waiting.length === 0) return;
    const limit = this.now() - PATIENCE_MS;
    const late = this.waiting.filter(({ since }) => since <= limit);
    if (late.length === 0) return;
    this.waiting = this.waiting.filter(({ since }) => since > limit);
    for (const { done } of late) done({ ok: false, error: away() });
  }

  private put(method: string, params: string, done: Done): void {
    const id = this.nextId++;
    this.pending.set(id, done);
    this.send?.(`{"id":${id},"method":"${method}","params":${params}}`);
  }
}

function away(): CdpFailure {
  return failure(
    "app_not_connected",
    "not sent: no browser is connected. Install the extension (debug-bridge extension tells how), open Chrome, and look at its popup for the relay's address",
  );
}

function errorText(body: string): string {
  try {
    const text: unknown = JSON.parse(body);
    return typeof text === "string" ? text : JSON.stringify(text);
  } catch {
    return body;
  }
}
