import { join } from "node:path";
import { debugPaths, type Following, followLines, isActive, readSessions } from "@debug-bridge/journal";
import { type Breakpoint, BridgeError } from "@debug-bridge/protocol";
import { type HubEvent, HubEvents } from "./hub-events.js";
import { runningHubUrl } from "./hub-url.js";

/**
 * Events of other sessions that breakpoints wait for: of another agent, or one that is recorded now, from its file; of
 * all others from the hub that runs.
 */
export class ForeignEvents {
  private readonly followed = new Map<string, Following>();
  private readonly hub: HubEvents;

  constructor(
    private readonly root: string,
    private readonly own: string,
    private readonly notice: (event: HubEvent) => void,
  ) {
    // What comes from a file comes from the hub, too, when it follows the same file.
    this.hub = new HubEvents(root, (event) => {
      if (event.session !== own && !this.followed.has(event.session)) notice(event);
    });
  }

  /** Makes sure that events of a session will be heard of: by its id, or by the name that it has on its wire. */
  prepare(session: string): void {
    if (session === this.own || this.followed.has(session)) return;
    const found = readSessions(this.root).findLast(
      (one) => (one.id === session || one.name === session) && isActive(one),
    );
    if (found) {
      const file = join(debugPaths(this.root).sessions, found.id, "events.jsonl");
      const following = followLines(file, { from: "end", onLine: ({ text }) => this.take(session, text) });
      this.followed.set(session, following);
    } else if (runningHubUrl(this.root) === undefined) {
      throw new BridgeError(
        "session_not_found",
        `no session "${session}" runs below ${this.root}, and no hub does; start one with: debug-bridge up`,
      );
    }
  }

  /** Listens for what these breakpoints wait for, and for nothing else. */
  keepOnly(breakpoints: readonly Breakpoint[]): void {
    const specs = breakpoints.flatMap(({ spec }) => (spec?.on === "event" ? spec : []));
    const wanted = new Set(specs.map(({ session }) => session));
    for (const [session, following] of this.followed) {
      if (wanted.has(session)) continue;
      following.close();
      this.followed.delete(session);
    }
    const ofHub = specs.filter(({ session }) => session !== this.own && !this.followed.has(session ?? ""));
    this.hub.listen(ofHub.map(({ event }) => event));
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
