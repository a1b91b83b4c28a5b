import type { Message } from "../types.js";
import { ValueFingerprint } from "./value-fingerprint.js";

/**
 * Finds the new messages of a request. A conversation grows at its end, and each request repeats the previous one.
 * Storing every request in full would make a recording grow with the square of the run.
 */
export class ConversationLog {
  private readonly known: ValueFingerprint[] = [];

  /** `kept` is the number of leading messages shared with the last request; `messages` are the others. */
  next(messages: readonly Message[]): { kept: number; messages: readonly Message[] } {
    let kept = 0;
    while (kept < messages.length && this.known[kept]?.matches(messages[kept])) kept++;
    const added = messages.slice(kept);
    this.known.length = kept;
    for (const message of added) this.known.push(new ValueFingerprint(message));
    return { kept, messages: added };
  }
}
