import { watch } from "node:fs";
import type { BreakpointContext } from "../breakpoints/breakpoint-context.js";
import type { HookSession } from "./hook-session.js";

/**
 * Holds the agent at a hook while it is paused. It returns when a command resumes the agent, the breakpoint's deadline
 * is reached, the call is cancelled, or the agent's timeout for the hook is nearly over.
 */
export async function passHookGate(
  session: HookSession,
  contexts: readonly [BreakpointContext, ...BreakpointContext[]],
  hookDeadline: number,
): Promise<void> {
  const call = contexts.find((context) => context.at === "tool");
  /** The pause that began at this hook, or that it took over. */
  let own: number | undefined;
  let nextCheckAt = hookDeadline;
  const check = (): Promise<boolean> =>
    session.exclusively(({ pauseState, target, emit }) => {
      if (call && target.isCancelled(call.toolId)) {
        target.leavePause();
        return true;
      }
      // Resumed: another call may have paused the agent again in the meantime.
      if (own !== undefined && !(pauseState.paused && target.pauseNumber === own)) return true;
      if (pauseState.paused && Date.now() >= hookDeadline) {
        const message =
          "the agent resumed because its hook timeout was reached; raise the timeout of the hook to hold it longer";
        pauseState.resume("hook_timeout");
        emit("error", { message, context: "hook" });
      } else if (pauseState.paused && Date.now() >= (target.deadlineAt ?? hookDeadline))
        pauseState.resume("deadline");
      if (pauseState.paused) {
        own ??= target.takeOverPause();
        nextCheckAt = Math.min(target.deadlineAt ?? hookDeadline, hookDeadline);
        if (call) target.hold(call);
        return false;
      }
      if (own !== undefined) return true;
      const stop = pauseState.pauseAt(...contexts);
      if (!stop) return true;
      own = target.beginPause();
      target.deadlineAt = stop.deadlineMs === undefined ? undefined : Date.now() + stop.deadlineMs;
      nextCheckAt = Math.min(target.deadlineAt ?? hookDeadline, hookDeadline);
      if (call) target.hold(call);
      return false;
    });
  if (await check()) return;
  const changes = new FolderChanges(session.folder);
  try {
    // The first check sees what changed before the watcher started.
    while (!(await check())) await changes.next(nextCheckAt);
  } finally {
    changes.close();
  }
}

/** Watches a session's folder for changes: a new command, or a command that another hook executed. */
class FolderChanges {
  private changed = false;
  private wake: () => void = () => {};
  private readonly watcher;

  constructor(folder: string) {
    this.watcher = watch(folder, (_event, file) => {
      // Other files change with every event, including the events of this process.
      if (file !== "commands.jsonl" && file !== "hook.json") return;
      this.changed = true;
      this.wake();
    });
  }

  /** Resolves at the next change, or at the given time. */
  async next(until: number): Promise<void> {
    if (!this.changed) {
      await new Promise<void>((resolve) => {
        const wait = Math.max(1, Math.min(until - Date.now(), 2 ** 31 - 1));
        const timer = setTimeout(resolve, wait);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.changed = false;
  }

  close(): void {
    this.watcher.close();
  }
}
