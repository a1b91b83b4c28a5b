import { BoundedQueue, CONSOLE_RATE_LIMITS, utf8Length } from "@debug-bridge/protocol";

/** An event for the hub. One with an empty text was dropped, and is only queued to be confirmed in order. */
export interface Outgoing {
  /** The document that it comes from and that gets the confirmation. */
  readonly document: string;
  readonly seq: number;
  readonly urgent: boolean;
  readonly text: string;
  /** Whether it may be sent together with others. */
  readonly batch: boolean;
}

const LIMITS = { maxItems: 5_000, maxSize: 16_000_000 };
/** Far below the hub's limit for a message, so that no batch is ever refused for its size. */
const MAX_FRAME_BYTES = 256 * 1024;

/**
 * The events between the pages and the hub, in order. What was sent stays until the hub answered a later ping, because
 * only then the hub has certainly read it. When the connection breaks before that, it is sent again.
 */
export class Outbox {
  private readonly queue = new BoundedQueue<Outgoing>(LIMITS);
  /** Queue number of the last event that was sent. */
  private sentUpTo = 0;
  private confirmedUpTo = 0;

  add(event: Outgoing): void {
    this.queue.add(
      () => event,
      ({ text }) => text.length,
      event.urgent,
    );
  }

  /** The frames of everything that was not sent yet: slow events alone, those of a burst as arrays. */
  drainFrames(): string[] {
    const { items } = this.queue.after(this.sentUpTo);
    this.sentUpTo = this.queue.lastSeq;
    return framesOf(items.map(({ item }) => item));
  }

  /** Queue number up to which everything was sent; `undefined` when all of it is confirmed. */
  get unconfirmed(): number | undefined {
    return this.sentUpTo > this.confirmedUpTo ? this.sentUpTo : undefined;
  }

  /** Everything up to this queue number has arrived. Returns the highest event number of each document in it. */
  confirm(upTo: number): Map<string, number> {
    const highest = new Map<string, number>();
    for (const { seq, item } of this.queue.after(0).items) {
      if (seq > upTo) break;
      highest.set(item.document, item.seq);
    }
    this.queue.confirm(upTo);
    this.confirmedUpTo = upTo;
    return highest;
  }

  /** The connection broke: everything that was not confirmed has to be sent again. */
  resend(): void {
    this.sentUpTo = this.confirmedUpTo;
  }

  /** How many events were dropped since the last call because the queue was full. */
  drainDropped(): number {
    return this.queue.drainDropped();
  }
}

function framesOf(events: readonly Outgoing[]): string[] {
  const frames: string[] = [];
  let batch: string[] = [];
  let bytes = 0;
  const closeBatch = (): void => {
    if (batch.length > 0) frames.push(batch.length === 1 ? (batch[0] as string) : `[${batch.join(",")}]`);
    batch = [];
    bytes = 0;
  };
  for (const { text, batch: mayBatch } of events) {
    if (text === "") continue;
    if (!mayBatch) {
      closeBatch();
      frames.push(text);
      continue;
    }
    const size = utf8Length(text);
    if (batch.length >= CONSOLE_RATE_LIMITS.batchEvents || bytes + size > MAX_FRAME_BYTES) closeBatch();
    batch.push(text);
    bytes += size;
  }
  closeBatch();
  return frames;
}
