import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { debugPaths, isActive, readIndex, readSession, watchFile } from "@debug-bridge/journal";
import type { Sessions } from "../../sessions/registry.js";
import { FollowedAgent } from "./followed-agent.js";

/** How often it is checked that the agents live: one that was killed tells nobody. */
const CHECK_EVERY_MS = 1_000;
/** Agents that ended and may come back, whose place in their files is remembered. */
const MOST_REMEMBERED = 100;

/**
 * The agents that run below some roots, as sessions. Only the index of a root is read, and only when it changes; so
 * sessions that ended cost nothing, however many there are.
 */
export class AgentWire {
  private readonly roots: readonly { readonly root: string; readonly stop: () => void }[];
  private readonly agents = new Map<string, FollowedAgent>();
  private readonly positions = new Map<string, number>();
  private readonly checking: NodeJS.Timeout;

  /** The first of the roots is the hub's own. */
  constructor(
    roots: readonly [string, ...string[]],
    private readonly sessions: Sessions,
  ) {
    mkdirSync(debugPaths(roots[0]).debug, { recursive: true, mode: 0o700 });
    this.roots = roots.map((root) => ({
      root,
      stop: watchFile(debugPaths(root).index, () => this.look(root)),
    }));
    for (const root of roots) this.look(root);
    this.checking = setInterval(() => this.check(), CHECK_EVERY_MS);
    this.checking.unref();
  }

  close(): void {
    clearInterval(this.checking);
    for (const { stop } of this.roots) stop();
    for (const agent of this.agents.values()) agent.close();
  }

  /** Compares what is followed with what the index lists. */
  private look(root: string): void {
    const listed = readIndex(root);
    const { sessions } = debugPaths(root);
    for (const entry of listed) {
      const folder = join(sessions, entry.id);
      // An id is a name in a folder, never a path.
      if (this.agents.has(folder) || basename(entry.id) !== entry.id || entry.id.startsWith(".")) continue;
      const about = readSession(folder) ?? entry;
      if (!isActive(about)) continue;
      const session = this.sessions.open(about.id);
      this.agents.set(folder, new FollowedAgent(folder, about, session, this.positions.get(folder)));
    }
    const names = new Set(listed.map(({ id }) => join(sessions, id)));
    for (const folder of this.agents.keys())
      if (folder.startsWith(join(sessions, "/")) && !names.has(folder)) this.end(folder);
  }

  private check(): void {
    for (const [folder, { about }] of this.agents) if (!isActive(about)) this.end(folder);
  }

  private end(folder: string): void {
    const agent = this.agents.get(folder);
    if (!agent) return;
    this.agents.delete(folder);
    agent.end();
    this.positions.delete(folder);
    this.positions.set(folder, agent.position);
    if (this.positions.size > MOST_REMEMBERED)
      this.positions.delete(this.positions.keys().next().value as string);
    this.sessions.noteLeft(agent.session);
  }
}
