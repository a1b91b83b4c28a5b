import { join } from "node:path";
import { debugPaths, type Following, followLines, readSessions } from "@debug-bridge/journal";
import { type Breakpoint, BridgeError } from "@debug-bridge/protocol";

/** Follows the events of other sessions on disk that breakpoints wait for. */
export class ForeignEvents {
  private readonly followed = new Map<string, Following>();

  constructor(
    private readonly root: string,
    private readonly notice: (event: { type: string; session: string; data: unknown }) => void,
  ) {}

  /** Starts to follow a session, by its id or by the name that it has on its wire. */
  follow(session: string): void {
    if (this.followed.has(session)) return;
    const found = readSessions(this.root).findLast(({ id, name }) => id === session || name === session);
    if (!found) {
      throw new BridgeError(
        "session_not_found",
        `no session "${session}" is recorded below ${this.root}; record apps with: debug-bridge up --record`,
      );
    }
    const file = join(debugPaths(this.root).sessions, found.id, "events.jsonl");
    const following = followLines(file, { from: "end", onLine: ({ text }) => this.take(session, text) });
    this.followed.set(session, following);
  }

  /** Stops following what no breakpoint waits for. */
  keepOnly(breakpoints: readonly Breakpoint[]): void {
    const wanted = new Set(breakpoints.map(({ spec }) => (spec?.on === "event" ? spec.session : undefined)));
    for (const [session, following] of this.followed) {
      if (wanted.has(session)) continue;
      following.close();
      this.followed.delete(session);
    }
  }

  close(): void {
    this.keepOnly([]);
  }

  private take(session: string, line: string): void {
    let record: { type?: unknown; data?: unknown } | null;
    try {
      record = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof record?.type === "string") this.notice({ type: record.type, session, data: record.data });
  }
}
