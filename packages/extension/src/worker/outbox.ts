import { CONSOLE_LIMITS, utf8Length } from "@debug-bridge/protocol";

/** An event on its way to the hub. One with an empty text was dropped, and only waits to be confirmed in order. */
export interface Outgoing {
  /** The document it comes from, to confirm it to. */
  readonly document: string;
  readonly seq: number;
  readonly urgent: boolean;
  readonly text: string;
  /** Whether it may travel together with others. */
  readonly batch: boolean;
}

const MOST_EVENTS = 5_000;
const MOST_CHARACTERS = 16_000_000;
/** Far below what the hub takes per message, so that no batch is ever refused for its size. */
const FRAME_BYTES = 256 * 1024;

/**
 * The events between the pages and the hub, in order. What was sent stays until the hub answered a later ping, since
 * only then it has certainly read it; when the connection breaks before, it is sent again.
 */
export class Outbox {
  private waiting: Outgoing[] = [];
  private sent: Outgoing[] = [];
  private characters = 0;
  private lost = 0;

  add(event: Outgoing): void {
    this.waiting.push(event);
    this.characters += event.text.length;
    while (this.waiting.length > MOST_EVENTS || this.characters > MOST_CHARACTERS) this.loseOne();
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** The frames of all that waits, in order: events that came slowly alone, those of a burst as arrays. */
  takeFrames(): string[] {
    const frames: string[] = [];
    let batch: string[] = [];
    let bytes = 0;
    const close = (): void => {
      if (batch.length > 0) frames.push(batch.length === 1 ? (batch[0] as string) : `[${batch.join(",")}]`);
      batch = [];
      bytes = 0;
    };
    for (const { text, batch: together } of this.waiting) {
      if (text === "") continue;
      if (!together) {
        close();
        frames.push(text);
        continue;
      }
      const size = utf8Length(text);
      if (batch.length >= CONSOLE_LIMITS.batchEvents || bytes + size > FRAME_BYTES) close();
      batch.push(text);
      bytes += size;
    }
    close();
    this.sent.push(...this.waiting);
    this.waiting = [];
    return frames;
  }

  /** How many events were sent and are not confirmed. */
  get unconfirmed(): number {
    return this.sent.length;
  }

  /** The first `count` of what was sent have arrived. The highest number of each document among them. */
  confirm(count: number): Map<string, number> {
    const highest = new Map<string, number>();
    for (const { document, seq, text } of this.sent.splice(0, count)) {
      highest.set(document, seq);
      this.characters -= text.length;
    }
    return highest;
  }

  /** The connection broke: what was not confirmed has to go again. */
  takeBack(): void {
    this.waiting = [...this.sent, ...this.waiting];
    this.sent = [];
    while (this.waiting.length > MOST_EVENTS) this.loseOne();
  }

  /** How many events were lost because too many waited. */
  takeLost(): number {
    const { lost } = this;
    this.lost = 0;
    return lost;
  }

  private loseOne(): void {
    const log = this.waiting.findIndex(({ urgent }) => !urgent);
    const [gone] = this.waiting.splice(Math.max(log, 0), 1);
    if (!gone) {
      this.characters = 0;
      return;
    }
    this.characters -= gone.text.length;
    if (gone.text !== "") this.lost++;
  }
}
