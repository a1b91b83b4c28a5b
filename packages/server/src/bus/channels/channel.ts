import { BridgeError, EXTENSION_MESSAGE_LIMITS } from "@debug-bridge/protocol";

/** What a packet is: the last or only part of a message, another part, credit for bytes that were read, or the end. */
const LAST = 0;
const MORE = 1;
const CREDIT = 2;
const END = 3;
const HEADER_BYTES = 5;
/** Parts of a message, so that each fits into a message of NATS. */
const MAX_PART_BYTES = 512 * 1024;
/** Bytes that may be on their way: what comes beyond waits at the sender. */
const WINDOW_BYTES = 2 * 1024 * 1024;
const CREDIT_STEP = WINDOW_BYTES / 4;
/** What waits for a reader that does not read, before the channel is closed. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_MESSAGE_BYTES = EXTENSION_MESSAGE_LIMITS.bytes;
const MAX_REASON = 500;
const LOST = "messages between the hubs were lost";

type Receive = (data: Buffer) => void;
type Closed = (code: number, reason: string) => void;

/**
 * An ordered pipe of messages to another hub, with flow control. A message arrives once and in order, or the channel closes.
 * `post` carries packets to the other end, which calls `receive`. Packets that are lost are noticed when a later one arrives, or
 * by `Confirmations`.
 */
export class Channel {
  /** Called when nothing waits now, after something did. */
  onDrain: (() => void) | undefined;
  private reader: Receive | undefined;
  private readonly early: Buffer[] = [];
  private readonly waiting: { type: number; part: Buffer }[] = [];
  private readonly parts: Buffer[] = [];
  private joined = 0;
  private waitingBytes = 0;
  private inFlight = 0;
  private owed = 0;
  private isPaused = false;
  private closed: Closed | undefined;
  private ended: { code: number; reason: string } | undefined;
  private nextOut = 0;
  private nextIn = 0;
  /** Packets that the other end had sent when it asked last. */
  private expected = 0;
  private hasUnconfirmed = false;

  constructor(
    /** The hub at the other end. */
    readonly peer: string,
    private readonly post: (packet: Buffer) => void,
    private readonly onEnded: () => void = () => {},
    /** Something was sent, and everything before it is known to have arrived. */
    private readonly onUnconfirmed: (channel: Channel) => void = () => {},
  ) {}

  /** Messages that came before it was set are passed to it at once. */
  set onMessage(reader: Receive | undefined) {
    this.reader = reader;
    if (!reader) return;
    for (const message of this.early.splice(0)) this.deliver(message);
  }

  /** Called once, whichever side closed; at once when it is closed already. */
  set onClose(closed: Closed) {
    this.closed = closed;
    if (this.ended) closed(this.ended.code, this.ended.reason);
  }

  get isOpen(): boolean {
    return this.ended === undefined;
  }

  /** Whether the other end may still miss something that was sent, the end of the channel included. */
  get isUnconfirmed(): boolean {
    return this.hasUnconfirmed;
  }

  /** How many packets were sent. Starts again at 0 after 2^32. */
  get sent(): number {
    return this.nextOut;
  }

  /** Bytes that were sent and are not known to be read. */
  get buffered(): number {
    return this.inFlight + this.waitingBytes;
  }

  send(data: string | Buffer): void {
    if (!this.isOpen) return;
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    let at = 0;
    do {
      const part = bytes.subarray(at, at + MAX_PART_BYTES);
      at += MAX_PART_BYTES;
      this.sendPart(at < bytes.length ? MORE : LAST, part);
    } while (at < bytes.length);
    if (this.waitingBytes > MAX_WAITING_BYTES) this.close(1013, "the other hub does not read fast enough");
  }

  close(code = 1000, reason = "closed"): void {
    if (!this.isOpen) return;
    const body = Buffer.from(JSON.stringify({ code, reason: reason.slice(0, MAX_REASON) }));
    // What still waits goes first: an answer that ends a connection must arrive.
    for (const { type, part } of this.waiting.splice(0)) this.sendPacket(type, part);
    this.sendPacket(END, body);
    this.end(code, reason);
  }

  /** The other end is gone: nothing is sent to it. */
  drop(reason: string): void {
    this.hasUnconfirmed = false;
    this.end(1012, reason);
  }

  /** The other end has received this many packets. */
  confirm(received: number): void {
    if (received === this.nextOut) this.hasUnconfirmed = false;
  }

  /**
   * The other end asks whether everything has arrived that it sent. Returns how many packets have. What it had sent when it asked
   * before had time enough: if that is missing, it was lost, and no later packet may come to show it.
   */
  countReceived(sent: number): number {
    if (((this.expected - this.nextIn) | 0) > 0) this.fail(LOST);
    this.expected = sent;
    return this.nextIn;
  }

  /** The reader cannot keep up: the other end may send what fits into the window, and no more. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.giveCredit();
  }

  /** A packet from the other end. */
  receive(packet: Buffer): void {
    if (!this.isOpen) return;
    const problem = this.problemOf(packet);
    if (problem !== undefined) {
      this.fail(problem);
      return;
    }
    const type = packet[0];
    this.nextIn = (this.nextIn + 1) >>> 0;
    const body = packet.subarray(HEADER_BYTES);
    if (type === LAST || type === MORE) this.receivePart(type, body);
    else if (type === CREDIT && body.length === 4) this.addCredit(body.readUInt32BE(0));
    else if (type === END) this.receiveEnd(body);
    else this.fail("a packet was not valid");
  }

  private problemOf(packet: Buffer): string | undefined {
    if (packet.length < HEADER_BYTES) return "a packet was too short";
    return packet.readUInt32BE(1) === this.nextIn ? undefined : LOST;
  }

  private sendPart(type: number, part: Buffer): void {
    if (this.waiting.length > 0 || this.inFlight >= WINDOW_BYTES) {
      this.waiting.push({ type, part });
      this.waitingBytes += part.length;
      return;
    }
    this.inFlight += part.length;
    this.sendPacket(type, part);
  }

  private sendPacket(type: number, body: Buffer): void {
    const packet = Buffer.allocUnsafe(HEADER_BYTES + body.length);
    packet[0] = type;
    packet.writeUInt32BE(this.nextOut, 1);
    this.nextOut = (this.nextOut + 1) >>> 0;
    body.copy(packet, HEADER_BYTES);
    this.post(packet);
    if (this.hasUnconfirmed) return;
    this.hasUnconfirmed = true;
    this.onUnconfirmed(this);
  }

  private receivePart(type: number, part: Buffer): void {
    this.joined += part.length;
    if (this.joined > MAX_MESSAGE_BYTES) {
      this.fail("a message was too large");
      return;
    }
    this.parts.push(part);
    if (type === MORE) {
      this.owe(part.length);
      return;
    }
    const message = this.parts.length === 1 ? part : Buffer.concat(this.parts);
    this.parts.length = 0;
    this.joined = 0;
    if (this.reader) {
      this.reader(message);
      this.owe(part.length);
    } else this.early.push(message);
  }

  private deliver(message: Buffer): void {
    this.reader?.(message);
    // Only the last part of a message is still owed; the others were counted when they came.
    this.owe(message.length % MAX_PART_BYTES || Math.min(message.length, MAX_PART_BYTES));
  }

  private owe(bytes: number): void {
    this.owed += bytes;
    if (this.owed >= CREDIT_STEP) this.giveCredit();
  }

  private giveCredit(): void {
    if (this.isPaused || this.owed === 0 || !this.isOpen) return;
    const body = Buffer.allocUnsafe(4);
    body.writeUInt32BE(this.owed);
    this.owed = 0;
    this.sendPacket(CREDIT, body);
  }

  private addCredit(bytes: number): void {
    this.inFlight = Math.max(0, this.inFlight - bytes);
    const hadToWait = this.waiting.length > 0;
    while (this.inFlight < WINDOW_BYTES) {
      const next = this.waiting.shift();
      if (!next) break;
      this.waitingBytes -= next.part.length;
      this.inFlight += next.part.length;
      this.sendPacket(next.type, next.part);
    }
    if (hadToWait && this.waiting.length === 0) this.onDrain?.();
  }

  private receiveEnd(body: Buffer): void {
    const { code, reason } = readEnd(body);
    this.hasUnconfirmed = false;
    this.end(code, reason);
  }

  private fail(reason: string): void {
    this.close(1011, reason);
  }

  private end(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.ended = { code, reason };
    this.waiting.length = 0;
    this.waitingBytes = 0;
    this.onEnded();
    this.closed?.(code, reason);
  }
}

function readEnd(body: Buffer): { code: number; reason: string } {
  try {
    const { code, reason } = JSON.parse(body.toString()) as { code?: unknown; reason?: unknown };
    const isCode = typeof code === "number" && Number.isInteger(code) && code >= 1000 && code <= 4999;
    return {
      code: isCode ? code : 1011,
      reason: typeof reason === "string" ? reason.slice(0, MAX_REASON) : "",
    };
  } catch {
    return { code: 1011, reason: "the other hub ended the channel without a reason that can be read" };
  }
}

/** A hub does not answer. Nothing was done there. */
export class HubUnreachable extends BridgeError {}

export function hubUnreachable(hub: string, why: string): HubUnreachable {
  return new HubUnreachable(
    "app_not_connected",
    `the hub "${hub}", which has this session, does not answer (${why}); try again in a few seconds`,
  );
}
