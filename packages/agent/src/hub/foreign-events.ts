import { join } from "node:path";
import { debugPaths, type Following, followLines, isActive, readSessions } from "@debug-bridge/journal";
import { type Breakpoint, BridgeError } from "@debug-bridge/protocol";
import { type HubEvent, HubEvents } from "./hub-events.js";
import { runningHubUrl } from "./hub-url.js";

/**
 * Events of other sessions for breakpoints. Events of agents and of sessions that are being recorded are read from their
 * files, all others from the running hub.
 */
export class ForeignEvents {
  private readonly followed = new Map<string, Following>();
  private readonly hub: HubEvents;

  constructor(
    private readonly root: string,
    private readonly own: string,
    private readonly onEvent: (event: HubEvent) => void,
  ) {
    // The hub also reports events of sessions whose file is followed here.
    this.hub = new HubEvents(root, (event) => {
      if (event.session !== own && !this.followed.has(event.session)) onEvent(event);
    });
  }

  /** Starts to follow a session, given by its id or its name; throws when there is no source for its events. */
  prepare(session: string): void {
    if (session === this.own || this.followed.has(session)) return;
    const found = readSessions(this.root).findLast(
      (one) => (one.id === session || one.name === session) && isActive(one),
    );
    if (found) {
      const file = join(debugPaths(this.root).sessions, found.id, "events.jsonl");
      const following = followLines(file, {
        from: "end",
        onLine: ({ text }) => this.readLine(session, text),
      });
      this.followed.set(session, following);
    } else if (runningHubUrl(this.root) === undefined) {
      throw new BridgeError(
        "session_not_found",
        `no running session "${session}" in ${this.root}, and no running hub; start one with: debug-bridge up`,
      );
    }
  }

  /** Follows only what these breakpoints need. */
  keepOnly(breakpoints: readonly Breakpoint[]): void {
    const specs = breakpoints.flatMap(({ spec }) => (spec?.on === "event" ? spec : []));
    const wanted = new Set(specs.map(({ session }) => session));
    for (const [session, following] of this.followed) {
      if (wanted.has(session)) continue;
      following.close();
      this.followed.delete(session);
    }
    const fromHub = specs.filter(({ session }) => session !== this.own && !this.followed.has(session ?? ""));
    this.hub.listen(fromHub.map(({ event }) => event));
  }

  close(): void {
    this.keepOnly([]);
  }

  private readLine(session: string, line: string): void {
    let record: { type?: unknown; data?: unknown } | null;
    try {
      record = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof record?.type === "string") this.onEvent({ type: record.type, session, data: record.data });
  }
}
