/** Errors that a connection may make at once. */
const MAX_ERRORS = 100;
/** How many of them are forgiven in a second. */
const FORGIVEN_PER_SECOND = 5;

/** Counts the errors of one connection. A peer with a bug makes some; one that makes nothing else is cut off. */
export class ErrorAllowance {
  private errors = 0;
  private since = 0;

  /** Counts an error; false when it is one too many. */
  admit(now: number): boolean {
    this.errors = Math.max(0, this.errors - ((now - this.since) / 1_000) * FORGIVEN_PER_SECOND) + 1;
    this.since = now;
    return this.errors <= MAX_ERRORS;
  }
}
