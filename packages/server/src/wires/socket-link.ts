import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Link } from "../sessions/link.js";

const AS_TEXT = { binary: false } as const;

/** Links that hold frames until the end of this turn of the event loop. */
const corked: SocketLink[] = [];

function uncorkAll(): void {
  for (const link of corked) link.flush();
  corked.length = 0;
}

/**
 * A WebSocket as a link. Frames that are sent in the same turn leave in one write: a burst of messages costs one
 * system call instead of one for each.
 */
export class SocketLink implements Link {
  private isCorked = false;
  /** Whether the peer sent anything since the last ping. */
  alive = true;

  constructor(
    private readonly ws: WebSocket,
    private readonly socket: Duplex,
  ) {}

  get buffered(): number {
    return this.ws.bufferedAmount;
  }

  send(data: string | Buffer): void {
    if (this.ws.readyState !== this.ws.OPEN) return;
    if (!this.isCorked) {
      this.isCorked = true;
      this.socket.cork();
      if (corked.push(this) === 1) process.nextTick(uncorkAll);
    }
    this.ws.send(data, AS_TEXT);
  }

  flush(): void {
    this.isCorked = false;
    this.socket.uncork();
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason.slice(0, 120));
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
}
