import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The paths below a root. */
export interface DebugPaths {
  readonly debug: string;
  readonly sessions: string;
  readonly index: string;
  readonly current: string;
  /** Maps hooked agents to their sessions. */
  readonly hooks: string;
}

/** Returns the paths below a root: a home such as `~/.debug-bridge`, or that of another agent with the same files. */
export function debugPaths(root: string): DebugPaths {
  const debug = join(root, "debug");
  return {
    debug,
    sessions: join(debug, "sessions"),
    index: join(debug, "index.json"),
    current: join(debug, "current"),
    hooks: join(debug, "hooks"),
  };
}

/** The root for a path that is the root itself or its `debug` folder. */
export function rootOf(dir: string): string {
  const path = resolve(dir);
  return basename(path) === "debug" && !existsSync(join(path, "debug")) ? dirname(path) : path;
}
