import { join } from "node:path";
import { readRegular } from "../lines/regular-file.js";
import { replaceFile } from "../lines/replace-file.js";
import { debugPaths } from "./paths.js";

/** What agents get when they start: `later.json`. */
export interface Later {
  /** How many breakpoints were ever added, for their ids. */
  readonly added: number;
  readonly breakpoints: readonly LaterBreakpoint[];
  /** Whether the next agent that starts is paused. */
  readonly pause: boolean;
}

interface LaterBreakpoint {
  readonly id: string;
  readonly enabled?: boolean | undefined;
  readonly spec?: unknown;
}

const NOTHING: Later = { added: 0, breakpoints: [], pause: false };

const laterFile = (root: string): string => join(debugPaths(root).debug, "later.json");

/** What is kept for agents that start later; nothing if the file does not exist or cannot be read. */
export function readLater(root: string): Later {
  try {
    const { added, breakpoints, pause } = JSON.parse(readRegular(laterFile(root))) as Partial<Later>;
    return {
      added: Number.isSafeInteger(added) ? (added as number) : 0,
      breakpoints: Array.isArray(breakpoints) ? breakpoints.filter(isBreakpoint) : [],
      pause: pause === true,
    };
  } catch {
    return NOTHING;
  }
}

export function writeLater(root: string, later: Later): void {
  replaceFile(laterFile(root), `${JSON.stringify(later, null, 2)}\n`);
}

/** The commands with which a new agent begins. A pause is for one agent only. */
export function drainLaterCommands(root: string): object[] {
  const later = readLater(root);
  const commands: object[] = later.breakpoints
    .filter(({ enabled, spec }) => enabled !== false && typeof spec === "object" && spec !== null)
    .map(({ id, spec }) => ({
      type: "breakpoint",
      id: `later-${id}`,
      data: { ...(spec as object), action: "add" },
    }));
  if (!later.pause) return commands;
  writeLater(root, { ...later, pause: false });
  return [...commands, { type: "pause", id: "later-pause", data: {} }];
}

function isBreakpoint(value: unknown): value is LaterBreakpoint {
  return typeof (value as LaterBreakpoint | null)?.id === "string";
}
