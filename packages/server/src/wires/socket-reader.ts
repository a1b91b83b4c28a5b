import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { ByteBudget, type Holder } from "../bounds/byte-budget.js";
import { ErrorAllowance } from "../bounds/error-allowance.js";
import { type Backlog, FairTurns, TurnShare } from "../bounds/fair-turns.js";
import { HUB_LIMITS } from "../bounds/limits.js";
import { paceOf } from "../bounds/pace.js";
import { reclaimAfter, reclaimSmallAfter } from "../bounds/reclaim.js";
import { steadyNow } from "../bounds/steady-clock.js";
import type { SocketLink } from "./socket-link.js";

/** What a piece of an unfinished message costs besides its bytes. */
const PIECE_OVERHEAD = 512;
/** Above this many unread bytes pings are not answered: pongs would only make them more. */
const MAX_UNREAD_FOR_PONG = 64 * 1024;
const BYTES_PER_UNIT = 2_048;
/** Messages from this size on are paced when their sender needed no token. */
const LARGE_BYTES = 128 * 1024;
/** Above this many unread bytes the peer is not read either: what it asks for would only make them more. */
const MAX_UNREAD_WHILE_READING = 4 * 1024 * 1024;
const UNREAD_CHECK_MS = 20;
/** What a peer may still send after the hub closed the connection; then it is ended without waiting for it. */
const MAX_BYTES_AFTER_CLOSE = 256 * 1024;

const turns = new FairTurns();
const unfinishedOpen = new ByteBudget(HUB_LIMITS.unfinishedOpen);
const unfinishedTrusted = new ByteBudget(HUB_LIMITS.unfinishedTrusted);

/** Options of WebSocket servers whose sockets are read by a `SocketReader`, which answers pings itself. */
export const READER_SOCKET_OPTIONS = {
  noServer: true,
  perMessageDeflate: false,
  autoPong: false,
  maxFragments: 4_096,
  maxBufferedChunks: 16_384,
} as const;

export interface ReaderOptions {
  /** Whether the peer needed no token: all of these share a smaller part of the memory. */
  readonly isOpen: boolean;
  /** What handling a small message costs now, compared with forwarding one to one peer. */
  weight?(): number;
  onMessage(data: Buffer): void;
  /** The connection ended. All of its messages were handled before. */
  onClose(code: number): void;
}

/**
 * The receiving half of a WebSocket. Messages are handled in order and at once, unless the peer sends more than its part:
 * then they wait for the next turn, and the socket is not read. Nor is that of a peer that does not read what it gets.
 * Unfinished messages and errors are counted and limited.
 */
export class SocketReader implements Holder, Backlog {
  private readonly waiting: Buffer[] = [];
  private readonly share = new TurnShare();
  private readonly errors = new ErrorAllowance();
  private readonly budget: ByteBudget;
  private unfinished = 0;
  private joining = 0;
  private finishedOne = false;
  private isClosed = false;
  private isHeld = false;
  private sentAfterClose = 0;

  constructor(
    private readonly ws: WebSocket,
    socket: Duplex,
    private readonly link: SocketLink,
    private readonly options: ReaderOptions,
  ) {
    this.budget = options.isOpen ? unfinishedOpen : unfinishedTrusted;
    ws.on("message", (data: RawData) => this.receive(data as Buffer));
    ws.on("ping", (data) => this.pong(data));
    ws.on("pong", () => {
      link.alive = true;
    });
    ws.on("error", () => {});
    ws.on("close", (code) => this.end(code));
    socket.on("data", (piece: Buffer) => this.countPiece(piece.length));
  }

  /** Counts an error of the peer. Closes the connection, and returns false, when it made too many. */
  countError(last = ""): boolean {
    if (this.isClosed) return false;
    if (this.errors.admit(steadyNow())) return true;
    const reason = "too many invalid messages; fix the sender, then connect again";
    this.close(1008, last === "" ? reason : `${reason}. The last: ${last}`);
    return false;
  }

  /** Ends the connection. Nothing that the peer sends from now on is handled. */
  close(code: number, reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.waiting.length = 0;
    this.budget.remove(this);
    this.link.close(code, reason);
  }

  /** Reads on after somebody else paused the socket. */
  resume(): void {
    if (!this.isHeld) this.ws.resume();
  }

  /** Characters of messages that the peer sends in chunks and that are not complete yet. */
  setJoining(characters: number): void {
    if (characters === this.joining) return;
    this.joining = characters;
    this.budget.update(this, this.measure());
  }

  measure(): number {
    return this.isClosed ? 0 : this.unfinished + this.joining;
  }

  /** Called for the peer with the most unfinished bytes when all peers together have too many. */
  release(): void {
    if (this.options.isOpen) reclaimAfter(this.unfinished);
    this.close(1009, "too much of unfinished messages; finish one before you start the next");
    this.ws.terminate();
  }

  runNext(): number | undefined {
    if (this.isHeld) return undefined;
    const data = this.waiting.shift();
    if (data === undefined || this.isClosed) {
      this.ws.resume();
      return undefined;
    }
    this.handle(data);
    return this.costOf(data);
  }

  private receive(data: Buffer): void {
    this.finishedOne = true;
    this.link.alive = true;
    if (this.isClosed) return;
    const isNext = this.waiting.length === 0 && !this.isHeld;
    if (isNext && turns.admits(this.share, this.costOf(data))) this.handle(data);
    else this.defer(data);
  }

  private handle(data: Buffer): void {
    this.options.onMessage(data);
    if (this.link.buffered > MAX_UNREAD_WHILE_READING) this.hold(UNREAD_CHECK_MS);
    if (!this.options.isOpen) return;
    if (data.length < LARGE_BYTES) {
      reclaimSmallAfter(data.length);
      return;
    }
    reclaimAfter(data.length);
    const waitMs = paceOf(data.length);
    if (waitMs > 0) this.hold(waitMs);
  }

  /** Reads nothing for a while, and until the peer has read. */
  private hold(waitMs: number): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.ws.pause();
    const unread = this.link.buffered;
    setTimeout(() => {
      this.isHeld = false;
      // Its pongs wait as well.
      if (this.link.buffered < unread) this.link.alive = true;
      if (this.link.buffered > MAX_UNREAD_WHILE_READING && !this.isClosed) {
        this.hold(UNREAD_CHECK_MS);
        return;
      }
      if (this.waiting.length > 0) turns.enqueue(this, this.share);
      else this.ws.resume();
    }, waitMs);
  }

  private defer(data: Buffer): void {
    if (this.waiting.push(data) > 1 || this.isHeld) return;
    this.ws.pause();
    turns.enqueue(this, this.share);
  }

  private costOf({ length }: Buffer): number {
    return (this.options.weight?.() ?? 1) * (1 + length / BYTES_PER_UNIT);
  }

  /** Called after the frames of a piece were read. What a piece holds after a finished message is not counted. */
  private countPiece(bytes: number): void {
    if (this.isClosed) {
      this.sentAfterClose += bytes;
      if (this.sentAfterClose > MAX_BYTES_AFTER_CLOSE) this.ws.terminate();
      return;
    }
    if (this.finishedOne) {
      this.finishedOne = false;
      if (this.unfinished === 0) return;
      this.unfinished = 0;
    } else this.unfinished += bytes + PIECE_OVERHEAD;
    this.budget.update(this, this.measure());
  }

  private pong(data: Buffer): void {
    this.link.alive = true;
    if (this.isClosed || this.link.buffered > MAX_UNREAD_FOR_PONG) return;
    if (turns.admits(this.share, 1)) this.ws.pong(data);
  }

  private end(code: number): void {
    turns.dequeue(this);
    for (const data of this.waiting.splice(0)) if (!this.isClosed) this.options.onMessage(data);
    if (this.options.isOpen && !this.isClosed) reclaimAfter(this.unfinished);
    this.isClosed = true;
    this.budget.remove(this);
    this.options.onClose(code);
  }
}
