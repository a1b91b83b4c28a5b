import { watch } from "node:fs";
import type { Moment } from "../breakpoints/breakpoint-context.js";
import type { HookSession } from "./hook-session.js";

/**
 * Holds the agent at a hook while it is paused: until a command lets it go on, the breakpoint's deadline comes, the
 * call is cancelled, or the time that the agent gives its hook is nearly over.
 */
export async function passHookGate(
  session: HookSession,
  moments: readonly [Moment, ...Moment[]],
  giveUpAt: number,
): Promise<void> {
  const call = moments.find((moment) => moment.at === "tool");
  let stopped = false;
  let lookAgainAt = giveUpAt;
  const look = (): Promise<boolean> =>
    session.exclusively(({ stops, target, emit }) => {
      if (call && target.isCancelled(call.toolId)) return true;
      if (stops.paused && Date.now() >= giveUpAt) {
        const message =
          "the agent waits no longer for its hook, and goes on; raise the hook's timeout to hold it longer";
        stops.resume("hook_timeout");
        emit("error", { message, context: "hook" });
      } else if (stops.paused && Date.now() >= (target.deadlineAt ?? giveUpAt)) stops.resume("deadline");
      if (stops.paused) {
        lookAgainAt = Math.min(target.deadlineAt ?? giveUpAt, giveUpAt);
        if (call) target.hold(call);
        return false;
      }
      if (stopped) return true;
      const stop = stops.arrive(...moments);
      if (!stop) return true;
      stopped = true;
      target.deadlineAt = stop.deadlineMs === undefined ? undefined : Date.now() + stop.deadlineMs;
      lookAgainAt = Math.min(target.deadlineAt ?? giveUpAt, giveUpAt);
      if (call) target.hold(call);
      return false;
    });
  if (await look()) return;
  const changes = new FolderChanges(session.folder);
  try {
    // What came before the watch began is seen by this first look.
    while (!(await look())) await changes.next(lookAgainAt);
  } finally {
    changes.close();
  }
}

/** Tells when something in a session's folder changed: a command came, or another hook took one. */
class FolderChanges {
  private changed = false;
  private wake: () => void = () => {};
  private readonly watcher;

  constructor(folder: string) {
    this.watcher = watch(folder, (_event, file) => {
      // Of what this process writes itself, only the shared state matters, and only if another wrote it, too.
      if (file !== "commands.jsonl" && file !== "hook.json") return;
      this.changed = true;
      this.wake();
    });
  }

  /** Resolves at the next change, or at a time. */
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
