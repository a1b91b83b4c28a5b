import { SessionFolder } from "@debug-bridge/journal";
import { type Entry, recordJson } from "./timeline.js";

/** Writes the timelines of all sessions to disk, each into its own folder. */
export class Recorder {
  private readonly folders = new Map<string, SessionFolder>();

  constructor(private readonly home: string) {}

  append(sessionId: string, entry: Entry): void {
    let folder = this.folders.get(sessionId);
    if (!folder) {
      folder = SessionFolder.create(this.home, { sessionId, kind: "app" });
      this.folders.set(sessionId, folder);
    }
    folder.append(recordJson(sessionId, entry));
  }

  async close(): Promise<void> {
    await Promise.all([...this.folders.values()].map((folder) => folder.close()));
  }
}
