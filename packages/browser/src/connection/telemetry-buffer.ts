import { platform, type TelemetryBody } from "@debug-bridge/page/capture";
import type { Numbered } from "./ring.js";
import { Ring } from "./ring.js";

/** A socket that has this much waiting is not keeping up. */
const MAX_WAITING = 2 * 1_024 * 1_024;
const RESYNC_CHECK_MS = 250;
/** Messages that one snapshot can replace; logs and errors cannot be replaced. */
const REPLACEABLE: ReadonlySet<TelemetryBody["type"]> = new Set([
  "dom_mutations",
  "dom_snapshot",
  "ui_tree",
  "ui_tree_delta",
]);

export interface Wire {
  readonly isOpen: boolean;
  readonly waiting: number;
  send(data: string): void;
}

export interface TelemetryBufferOptions {
  readonly sessionId: string;
  readonly instanceId: string;
  /** Sends one snapshot and one tree, after some had to be dropped. */
  readonly resync: () => void;
  readonly onDrop: (bytes: number) => void;
}

/**
 * Every message of the page goes through here: numbered, kept for resuming, and sent as long as the socket keeps up.
 * Otherwise messages are dropped, reported in a `gap`, and replaced by one snapshot.
 */
export class TelemetryBuffer {
  private readonly ring = new Ring();
  private wire: Wire | undefined;
  private dropped = 0;
  private resyncTimer: number | undefined;

  constructor(private readonly options: TelemetryBufferOptions) {}

  get lastSeq(): number {
    return this.ring.lastSeq;
  }

  /** Adds a message. It is sent now when a wire is attached, else when one is. */
  put(message: TelemetryBody): void {
    if (this.wire && this.wire.waiting > MAX_WAITING && REPLACEABLE.has(message.type)) {
      this.dropped++;
      this.options.onDrop(platform.stringify(message).length);
      this.scheduleResync();
      return;
    }
    // The state of the DOM is sent again whenever a wire opens, so an old one need not be kept.
    if (!this.wire && REPLACEABLE.has(message.type)) return;
    const { text } = this.number(message);
    if (this.wire?.isOpen) this.wire.send(text);
  }

  /** A message that belongs to one connection: neither numbered nor kept. */
  write(message: TelemetryBody): string {
    return platform.stringify(this.dress(message));
  }

  /** Sends messages over this wire from now on, starting with those that the other side has not seen. */
  attach(wire: Wire, lastSeq: number): void {
    const { messages, lost } = this.ring.after(lastSeq);
    if (lost) {
      const { from, to } = lost;
      wire.send(
        this.write({
          type: "gap",
          dropped: to - from + 1,
          reason: "too many messages before the connection",
          from,
          to,
        }),
      );
    }
    for (const { text } of messages) wire.send(text);
    this.wire = wire;
  }

  detach(): void {
    this.wire = undefined;
    platform.clearTimeout(this.resyncTimer);
    this.resyncTimer = undefined;
  }

  private number(message: TelemetryBody): Numbered {
    return this.ring.add((seq) => platform.stringify({ ...this.dress(message), seq }));
  }

  private dress(message: TelemetryBody): object {
    const { sessionId, instanceId } = this.options;
    // When a session has several pages, a reader must know whose tree it is.
    const whose = message.type === "ui_tree" || message.type === "ui_tree_delta" ? { instanceId } : {};
    return { sessionId, timestamp: platform.epoch(), origin: "app", ...whose, ...message };
  }

  private scheduleResync(): void {
    if (this.resyncTimer !== undefined) return;
    const check = (): void => {
      this.resyncTimer = undefined;
      if (!this.wire) return;
      if (this.wire.waiting > MAX_WAITING / 4) {
        this.resyncTimer = platform.setTimeout(check, RESYNC_CHECK_MS);
        return;
      }
      const { dropped } = this;
      this.dropped = 0;
      this.put({ type: "gap", dropped, reason: "the connection did not keep up" });
      this.options.resync();
    };
    this.resyncTimer = platform.setTimeout(check, RESYNC_CHECK_MS);
  }
}
