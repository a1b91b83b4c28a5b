import { HUB_LIMITS } from "../../bounds/limits.js";
import type { CdpFailure } from "../../relay/wire/messages.js";
import { busy, failure, readFailure } from "../../relay/wire/messages.js";

/** How a command to the extension ended: its result as JSON, or the error. */
type Outcome =
  | { readonly ok: true; readonly body: string }
  | { readonly ok: false; readonly error: CdpFailure };
export type Done = (outcome: Outcome) => void;

interface Pending {
  readonly characters: number;
  readonly done: Done;
}

interface Waiting {
  readonly since: number;
  readonly method: string;
  readonly params: string;
  readonly done: Done;
}

/** How long a command waits for an extension that is away. A worker that was stopped is back by then. */
const EXTENSION_TIMEOUT_MS = 4_000;

/**
 * Commands to the extension and their replies. It has its own table instead of the `Correlator`, which answers
 * through a promise: a reply has to be delivered in the turn in which it arrives, so that an event right behind it does
 * not overtake it (see docs/decisions/007-replies-in-order.md).
 */
export class ExtensionRpc {
  private send: ((text: string) => void) | undefined;
  private isReady = false;
  private nextId = 1;
  private readonly pending = new Map<number, Pending>();
  private characters = 0;
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

  /** An extension connected. Only urgent commands are sent until `open`. */
  connect(send: (text: string) => void): void {
    this.send = send;
    this.isReady = false;
  }

  open(): void {
    this.isReady = true;
    const { waiting } = this;
    this.waiting = [];
    for (const { method, params, done } of waiting) {
      this.characters -= params.length;
      this.post(method, params, done);
    }
  }

  /** Sends a command; while the extension is away, the command waits for it for a while. */
  request(method: string, params: string, done: Done): void {
    const { waiting, sent, characters } = HUB_LIMITS.cdpPending;
    const isFull =
      this.waiting.length >= waiting || this.pending.size >= sent || this.characters > characters;
    if (isFull) done({ ok: false, error: busy() });
    else if (this.isReady) this.post(method, params, done);
    else {
      this.characters += params.length;
      this.waiting.push({ since: this.now(), method, params, done });
    }
  }

  /** Sends a command at once, ahead of those that wait for `open`. */
  requestFirst(method: string, params: string, done: Done): void {
    if (this.send) this.post(method, params, done);
    else done({ ok: false, error: away() });
  }

  /** Sends a message that has no answer. */
  notify(method: string, params?: object): void {
    this.send?.(JSON.stringify(params ? { method, params } : { method }));
  }

  /** Delivers a reply; false when no command waits for it. */
  settle(id: number, ok: boolean, body: string): boolean {
    const command = this.pending.get(id);
    if (!command) return false;
    this.pending.delete(id);
    this.characters -= command.characters;
    command.done(ok ? { ok, body } : { ok, error: readFailure(errorText(body)) });
    return true;
  }

  /** The extension is gone. Whether it ran the pending commands is unknown. */
  onLost(reason: string): void {
    this.send = undefined;
    this.isReady = false;
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const { characters, done } of lost) {
      this.characters -= characters;
      done({
        ok: false,
        error: failure(
          "outcome_unknown",
          `the extension disconnected before it answered (${reason}): outcome unknown, the command may or may not have run. Check before you repeat it`,
        ),
      });
    }
  }

  /** Ends commands that have waited too long for an extension. */
  expire(): void {
    if (this.isReady || this.waiting.length === 0) return;
    const limit = this.now() - EXTENSION_TIMEOUT_MS;
    const late = this.waiting.filter(({ since }) => since <= limit);
    if (late.length === 0) return;
    this.waiting = this.waiting.filter(({ since }) => since > limit);
    for (const { params, done } of late) {
      this.characters -= params.length;
      done({ ok: false, error: away() });
    }
  }

  private post(method: string, params: string, done: Done): void {
    const id = this.nextId++;
    this.pending.set(id, { characters: params.length, done });
    this.characters += params.length;
    this.send?.(`{"id":${id},"method":"${method}","params":${params}}`);
  }
}

function away(): CdpFailure {
  return failure(
    "app_not_connected",
    "not sent: no browser is connected. Run debug-bridge extension to install the extension, open Chrome, and check the relay's address in the popup",
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
