import { Likeness } from "./value-fingerprint.js";
import type { Message } from "../types.js";

/**
 * Which messages of a request are new. A conversation grows at its end, so that each request holds all of the one
 * before: stored whole each time, a recording would grow with the square of the run.
 */
export class ConversationLog {
  private readonly known: Likeness[] = [];

  /** `kept` messages are those that the last request began with; the others are in `messages`. */
  next(messages: readonly Message[]): { kept: number; messages: readonly Message[] } {
    let kept = 0;
    while (kept < messages.length && this.known[kept]?.isOf(messages[kept])) kept++;
    const added = messages.slice(kept);
    this.known.length = kept;
    for (const message of added) this.known.push(new Likeness(message));
    return { kept, messages: added };
  }
}
