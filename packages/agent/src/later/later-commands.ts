import { mkdirSync } from "node:fs";
import { debugPaths, readLater, withLock, writeLater } from "@debug-bridge/journal";
import {
  type Breakpoint,
  type BreakpointCommandData,
  type BreakpointSpec,
  BridgeError,
} from "@debug-bridge/protocol";
import { breakpointCommandDataSchema, check } from "@debug-bridge/protocol/schemas";
import { Breakpoints } from "../breakpoints/breakpoints.js";

/**
 * Keeps a command for agents that start later. Breakpoints are for all of them until they are cleared; a pause is for the
 * next one, and `resume` takes it back. Returns what the agent would answer.
 */
export function executeLater(root: string, type: string, data: unknown): unknown {
  const { debug } = debugPaths(root);
  mkdirSync(debug, { recursive: true, mode: 0o700 });
  return withLock(`${debug}/later.lock`, () => {
    if (type === "breakpoint") return changeBreakpoints(root, data);
    const later = readLater(root);
    writeLater(root, { ...later, pause: type === "pause" });
    return type === "pause" ? { paused: false } : { wasPaused: later.pause };
  });
}

function changeBreakpoints(root: string, data: unknown): unknown {
  const checked = check(breakpointCommandDataSchema, data);
  if (!checked.ok) throw checked.error;
  const later = readLater(root);
  const breakpoints = new Breakpoints(() => {});
  breakpoints.restore({ added: later.added, list: later.breakpoints as readonly Breakpoint[] });
  const answer = change(breakpoints, checked.value);
  const { added, list } = breakpoints.save();
  writeLater(root, { ...later, added, breakpoints: list });
  return answer;
}

function change(breakpoints: Breakpoints, data: BreakpointCommandData): unknown {
  switch (data.action) {
    case "add": {
      const { action: _, ...spec } = data;
      // The session has to run when the breakpoint is added.
      if (spec.on === "event" && spec.session !== undefined)
        throw new BridgeError(
          "not_supported",
          "a breakpoint on events of one session needs a running agent; leave out --event-session, or start the agent first",
        );
      const breakpoint = breakpoints.add(spec as BreakpointSpec);
      return { id: breakpoint.id, breakpoint };
    }
    case "list":
      return { breakpoints: breakpoints.list() };
    case "replace":
      return { breakpoints: breakpoints.replace(data.group, data.breakpoints) };
    case "clear":
      return { breakpoint: breakpoints.clear(data.id) };
    case "clear-all":
      return { cleared: breakpoints.clearAll() };
    default:
      return { breakpoint: breakpoints.setEnabled(data.id, data.action === "enable") };
  }
}
