import { type FSWatcher, lstatSync, mkdirSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { debugPaths, isActive, readIndex, readSession, watchFile } from "@debug-bridge/journal";
import type { SessionFile } from "@debug-bridge/protocol";
import { followedSessionId, type Owner } from "../../sessions/owner.js";
import type { Sessions } from "../../sessions/registry.js";
import { FollowedAgent } from "./followed-agent.js";

/** How often to check that agents are alive: one that was killed reports nothing. */
const CHECK_INTERVAL_MS = 1_000;
/** Agents that ended and may come back, whose position in their files is kept. */
const MAX_REMEMBERED = 100;

const FILES: Owner = { kind: "files" };

/** A watched root. */
interface Root {
  readonly sessions: string;
  /** New folders without a description so far. */
  readonly fresh: Set<string>;
  stop(): void;
}

/**
 * The agents that run below some roots, as sessions. Of a root only the index is read, and folders that appear; so
 * sessions that ended cost nothing, however many there are.
 */
export class AgentWire {
  private readonly roots: readonly Root[];
  private readonly agents = new Map<string, FollowedAgent>();
  private readonly positions = new Map<string, number>();
  private readonly checking: NodeJS.Timeout;

  /** The first of the roots is the hub's own. */
  constructor(
    roots: readonly [string, ...string[]],
    private readonly registry: Sessions,
  ) {
    mkdirSync(debugPaths(roots[0]).sessions, { recursive: true, mode: 0o700 });
    this.roots = roots.map((path) => this.open(path));
    this.checking = setInterval(() => this.check(), CHECK_INTERVAL_MS);
    this.checking.unref();
  }

  close(): void {
    clearInterval(this.checking);
    for (const root of this.roots) root.stop();
    for (const agent of this.agents.values()) agent.close();
  }

  private open(path: string): Root {
    const { sessions, index } = debugPaths(path);
    const fresh = new Set<string>();
    const watcher = watchFolder(sessions, (name) => {
      fresh.add(name);
      this.followEnded(root);
    });
    const stopIndex = watchFile(index, () => this.compareWithIndex(path, root));
    const stop = (): void => {
      watcher?.close();
      stopIndex();
    };
    const root: Root = { sessions, fresh, stop };
    this.compareWithIndex(path, root);
    return root;
  }

  /** Compares what is followed with what the index lists. */
  private compareWithIndex(path: string, root: Root): void {
    const listed = readIndex(path);
    for (const entry of listed) {
      const about = isName(entry.id) ? (readSession(join(root.sessions, entry.id)) ?? entry) : undefined;
      if (about && isActive(about)) this.tryFollow(root, entry.id, about);
    }
    const names = new Set(listed.map(({ id }) => join(root.sessions, id)));
    for (const folder of this.agents.keys())
      if (folder.startsWith(join(root.sessions, "/")) && !names.has(folder)) this.end(folder);
    this.followEnded(root);
  }

  /** Reads agents that had ended before the index was read. */
  private followEnded(root: Root): void {
    for (const name of root.fresh) {
      const about = isName(name) ? readSession(join(root.sessions, name)) : undefined;
      if (!about || isActive(about)) continue;
      root.fresh.delete(name);
      if (about.kind !== undefined && about.kind !== "agent") continue;
      this.tryFollow(root, name, about);
      this.end(join(root.sessions, name));
    }
    // A folder that never gets a description is not ours.
    if (root.fresh.size > MAX_REMEMBERED) root.fresh.clear();
  }

  /** Anybody may write below a root: a folder that cannot be followed is left out, and the hub goes on. */
  private tryFollow(root: Root, name: string, about: SessionFile): void {
    try {
      // A link may lead to a folder that nobody meant.
      if (lstatSync(join(root.sessions, name)).isDirectory()) this.follow(root, name, about);
    } catch {
      root.fresh.delete(name);
    }
  }

  private follow(root: Root, name: string, about: SessionFile): void {
    const folder = join(root.sessions, name);
    root.fresh.delete(name);
    if (this.agents.has(folder)) return;
    const id = followedSessionId(about.id);
    // The folders of another root cannot take the place of an agent that is followed already.
    for (const agent of this.agents.values()) if (agent.session.id === id) return;
    const session = this.registry.openFor(id, FILES);
    this.agents.set(folder, new FollowedAgent(folder, about, session, this.positions.get(folder)));
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
    if (this.positions.size > MAX_REMEMBERED)
      this.positions.delete(this.positions.keys().next().value as string);
    this.registry.releaseIfIdle(agent.session);
  }
}

/** An id is a name in a folder, never a path. */
const isName = (id: string): boolean => basename(id) === id && !id.startsWith(".");

function watchFolder(path: string, appeared: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, (event, name) => {
      if (event === "rename" && name !== null) appeared(name);
    });
    watcher.unref();
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    // It does not exist, or cannot be watched: the index lists all agents that run for more than a moment.
    return undefined;
  }
}
