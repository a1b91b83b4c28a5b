/** A message with its number. */
export interface Numbered {
  readonly seq: number;
  readonly text: string;
}

export interface Resume {
  readonly messages: readonly Numbered[];
  /** First and last number that can no longer be sent. */
  readonly lost: { readonly from: number; readonly to: number } | undefined;
}

/**
 * The last messages of this page load, bounded by count and by length, so that a connection that breaks, or opens late,
 * loses nothing that is still stored.
 */
export class Ring {
  private messages: Numbered[] = [];
  private length = 0;
  private next = 1;

  constructor(
    private readonly maxMessages = 2_000,
    private readonly maxLength = 4 * 1_024 * 1_024,
  ) {}

  get lastSeq(): number {
    return this.next - 1;
  }

  /** Numbers a message and keeps it. */
  add(write: (seq: number) => string): Numbered {
    const seq = this.next++;
    const message = { seq, text: write(seq) };
    this.messages.push(message);
    this.length += message.text.length;
    while (
      this.messages.length > this.maxMessages ||
      (this.length > this.maxLength && this.messages.length > 1)
    ) {
      this.length -= this.messages.shift()?.text.length ?? 0;
    }
    return message;
  }

  /** What to send to someone who has everything up to `seq`. */
  after(seq: number): Resume {
    const messages = this.messages.filter((message) => message.seq > seq);
    const first = messages[0]?.seq ?? this.next;
    return { messages, lost: first > seq + 1 ? { from: seq + 1, to: first - 1 } : undefined };
  }
}
