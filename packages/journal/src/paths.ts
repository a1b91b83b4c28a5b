import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where everything of one root lies. */
export interface DebugPaths {
  readonly debug: string;
  readonly sessions: string;
  readonly index: string;
  readonly current: string;
  /** Which agent behind hooks has which session. */
  readonly hooks: string;
}

/** The paths below a root: a home such as `~/.debug-bridge`, or that of another agent which writes the same files. */
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

/** The root that a person means who points at it or at the `debug` folder in it. */
export function rootOf(dir: string): string {
  const path = resolve(dir);
  return basename(path) === "debug" && !existsSync(join(path, "debug")) ? dirname(path) : path;
}
