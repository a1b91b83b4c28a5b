import type { ByteBudget, Holder } from "../bounds/byte-budget.js";

/** What the pictures of one session may take in memory. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface KeptPicture {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Empty at the end of a time in which there were pictures. */
  readonly bytes: Buffer;
}

/** What one entry costs besides its bytes. */
const OVERHEAD = 100;

/** The newest pictures of a session, oldest first, within a number of bytes. */
export class PictureRing implements Holder {
  private pictures: KeptPicture[] = [];
  private bytes = 0;

  constructor(
    private readonly budget?: ByteBudget,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  add(picture: KeptPicture): void {
    this.pictures.push(picture);
    // The clock of a page may be set back.
    if ((this.pictures.at(-2)?.at ?? 0) > picture.at) this.pictures.sort((a, b) => a.at - b.at);
    this.bytes += picture.bytes.length + OVERHEAD;
    while (this.bytes > this.maxBytes && this.pictures.length > 1) this.dropOldest();
    this.budget?.update(this, this.bytes);
  }

  all(): readonly KeptPicture[] {
    return this.pictures;
  }

  measure(): number {
    return this.bytes;
  }

  /** Releases the older half. */
  release(): void {
    for (let left = Math.ceil(this.pictures.length / 2); left > 0; left--) this.dropOldest();
  }

  /** The session is gone. */
  close(): void {
    this.pictures = [];
    this.bytes = 0;
    this.budget?.remove(this);
  }

  private dropOldest(): void {
    const oldest = this.pictures.shift();
    if (oldest) this.bytes -= oldest.bytes.length + OVERHEAD;
  }
}
