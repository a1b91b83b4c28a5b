import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Holder } from "../bounds/byte-budget.js";
import { HUB_LIMITS } from "../bounds/limits.js";
import { MIN_COUNTED_BYTES, unreadInAll } from "../bounds/unread.js";
import type { Link } from "../sessions/peers/link.js";

const AS_TEXT = { binary: false } as const;
/** How long a peer has to read the rest and to answer that the connection is closed. */
const CLOSE_TIMEOUT_MS = 5_000;
/** A close frame holds 123 bytes; the last character may take two more when it is cut. */
const MAX_REASON_BYTES = 120;

/** Links that hold frames until the end of this turn of the event loop. */
const corked: SocketLink[] = [];

function uncorkAll(): void {
  for (const link of corked) link.flush();
  corked.length = 0;
}

/**
 * The sending half of a WebSocket. Frames that are sent in the same turn leave in one write: a burst of messages costs one
 * system call instead of one for each. A peer that does not read is disconnected before it costs too much memory.
 */
export class SocketLink implements Link, Holder {
  private isCorked = false;
  private counted = 0;
  private closing: NodeJS.Timeout | undefined;
  /** Whether the peer sent anything since the last ping. */
  alive = true;

  constructor(
    private readonly ws: WebSocket,
    private readonly socket: Duplex,
    private readonly maxUnread: number = HUB_LIMITS.unread.agent,
  ) {
    ws.on("close", () => {
      unreadInAll.remove(this);
      clearTimeout(this.closing);
    });
  }

  get buffered(): number {
    return this.ws.bufferedAmount;
  }

  measure(): number {
    return this.ws.readyState === this.ws.OPEN ? this.ws.bufferedAmount : 0;
  }

  /** Called for the peer with the most unread output when all peers together have too much. */
  release(): void {
    this.ws.terminate();
    unreadInAll.remove(this);
  }

  send(data: string | Buffer): void {
    if (!this.canSend()) return;
    this.cork();
    this.ws.send(data, AS_TEXT);
  }

  /** Sends a reply that somebody waits for: if it is the first frame of this turn, it does not wait for the end of it. */
  sendReply(data: string): void {
    if (!this.canSend()) return;
    this.ws.send(data, AS_TEXT);
    this.cork();
  }

  private canSend(): boolean {
    if (this.ws.readyState !== this.ws.OPEN) return false;
    const unread = this.ws.bufferedAmount;
    if (unread > this.maxUnread) {
      this.ws.terminate();
      return false;
    }
    if (unread > MIN_COUNTED_BYTES || this.counted > 0) this.count(unread);
    return true;
  }

  private cork(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    this.socket.cork();
    if (corked.push(this) === 1) process.nextTick(uncorkAll);
  }

  flush(): void {
    this.isCorked = false;
    this.socket.uncork();
  }

  close(code: number, reason: string): void {
    this.ws.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString());
    this.closing ??= setTimeout(() => this.ws.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Sends a ping; ends the connection of a peer that has not answered the last one. */
  checkAlive(): void {
    if (!this.alive) {
      this.ws.terminate();
      return;
    }
    this.alive = false;
    this.ws.ping();
  }

  private count(unread: number): void {
    this.counted = unread > MIN_COUNTED_BYTES ? unread : 0;
    unreadInAll.update(this, this.counted);
  }
}
