import type { RunEvent } from "@debug-bridge/protocol";
import { foldEvent } from "../transcript/fold-event.js";
import type { ChatFolder } from "./chat-folder.js";

/** Events that say nothing about the chat as a whole, and are many. */
const PASSING: ReadonlySet<string> = new Set(["run.delta", "run.step"]);

/**
 * Keeps the metadata of a chat up to date with its transcript. When the file cannot be written now, what is missing is
 * written with the next event: the transcript has it in any case.
 */
export class MetaUpdater {
  private unsaved: RunEvent[] = [];

  constructor(private readonly folder: ChatFolder) {}

  /** Returns whether the metadata may have changed. */
  add(event: RunEvent): boolean {
    if (PASSING.has(event.event)) return false;
    const events = [...this.unsaved, event];
    try {
      this.folder.update((meta) => events.reduce(foldEvent, meta));
      this.unsaved = [];
    } catch {
      this.unsaved = events;
    }
    return true;
  }
}
