import { createHash } from "node:crypto";
import { jsonOf } from "./event-writer.js";
import type { Message } from "./types.js";

/**
 * Which messages of a request are new. A conversation grows at its end, so that each request holds all of the one
 * before: stored whole each time, a recording would grow with the square of the run.
 */
export class ConversationLog {
  private known: string[] = [];

  /** `kept` messages are those that the last request began with; the others are in `messages`. */
  next(messages: readonly Message[]): { kept: number; messages: readonly Message[] } {
    const hashes = messages.map((message) =>
      createHash("sha1")
        .update(jsonOf(message) ?? "")
        .digest("base64"),
    );
    let kept = 0;
    while (kept < hashes.length && hashes[kept] === this.known[kept]) kept++;
    this.known = hashes;
    return { kept, messages: messages.slice(kept) };
  }
}
