import { watch } from "node:fs";
import { debuggersOf } from "@debug-bridge/journal";
import type { BreakpointContext } from "../breakpoints/breakpoint-context.js";
import type { HookSession, OpenSession } from "./session/hook-session.js";

/** How often to check that the debugger and the agent still run. */
const ALIVE_CHECK_MS = 500;

/** How a call was held. */
export interface Hold {
  readonly reason: string;
  readonly durationMs: number;
  /** Why nobody released it. */
  readonly unattended?: string;
  /** The agent was killed while its call was held: the call never runs. */
  readonly agentGone?: boolean;
}

/**
 * Holds the agent at a hook while it is paused. It returns when a command resumes the agent, the breakpoint's deadline
 * is reached, the call is cancelled, the agent's timeout for the hook is nearly over, or the debugger died. The result
 * says how the call was held; undefined if it was not.
 */
export async function passHookGate(
  session: HookSession,
  contexts: readonly [BreakpointContext, ...BreakpointContext[]],
  hookDeadline: number,
): Promise<Hold | undefined> {
  const gate = new HookGate(session, contexts, hookDeadline);
  if (await gate.check()) return gate.hold;
  const changes = new FolderChanges(session.folder);
  try {
    // The first check sees what changed before the watcher started.
    while (!(await gate.check())) await changes.next(gate.nextCheckAt);
  } finally {
    changes.close();
  }
  return gate.hold;
}

class HookGate {
  hold: Hold | undefined;
  nextCheckAt: number;
  private readonly call;
  /** The pause that began at this hook, or that it took over. */
  private own: number | undefined;
  private readonly startedAt = Date.now();
  /** A process whose parent ended gets another one. */
  private readonly parent = process.ppid;

  constructor(
    private readonly session: HookSession,
    private readonly contexts: readonly BreakpointContext[],
    private readonly hookDeadline: number,
  ) {
    this.nextCheckAt = hookDeadline;
    this.call = contexts.find((context) => context.at === "tool");
  }

  /** Resolves with whether the agent may continue. */
  check(): Promise<boolean> {
    return this.session.exclusively((open) => {
      const mayContinue = this.mayContinue(open);
      if (this.hold) this.hold = { ...this.hold, durationMs: Date.now() - this.startedAt };
      return mayContinue;
    });
  }

  private mayContinue(open: OpenSession): boolean {
    const { pauseState, target } = open;
    if (this.call && target.isCancelled(this.call.toolId)) {
      target.leavePause();
      return true;
    }
    if (process.ppid !== this.parent) return this.endWithAgent(open);
    // Resumed: another call may have paused the agent again in the meantime.
    if (this.own !== undefined && !(pauseState.paused && target.pauseNumber === this.own)) return true;
    if (pauseState.paused) this.endIfAbandoned(open);
    if (pauseState.paused && Date.now() >= (target.deadlineAt ?? this.hookDeadline))
      pauseState.resume("deadline");
    if (pauseState.paused) {
      this.own ??= target.takeOverPause();
      this.wait(open);
      return false;
    }
    if (this.own !== undefined || this.hold?.unattended !== undefined) return true;
    const stop = pauseState.pauseAt(...this.contexts);
    if (!stop) return true;
    this.own = target.beginPause();
    target.deadlineAt = stop.deadlineMs === undefined ? undefined : Date.now() + stop.deadlineMs;
    this.wait(open);
    if (!target.unattended) return false;
    this.abandon(open, "unattended", "nobody has answered since the last call was held");
    return true;
  }

  private wait({ pauseState, target }: OpenSession): void {
    this.hold ??= { reason: pauseState.pauseReason ?? "pause", durationMs: 0 };
    const deadline = Math.min(target.deadlineAt ?? this.hookDeadline, this.hookDeadline);
    this.nextCheckAt = Math.min(deadline, Date.now() + ALIVE_CHECK_MS);
    if (this.call) target.hold(this.call);
  }

  private endWithAgent({ pauseState, target }: OpenSession): boolean {
    if (this.call) target.release(this.call.toolId);
    if (this.own !== undefined) pauseState.resume("agent_gone");
    this.hold = { reason: "agent_gone", durationMs: 0, agentGone: true };
    return true;
  }

  /** Ends the pause if nobody can. */
  private endIfAbandoned(open: OpenSession): void {
    if (Date.now() >= this.hookDeadline)
      this.abandon(open, "hook_timeout", "nobody answered before the timeout of the hook");
    else if (debuggersOf(this.session.folder) === "died")
      this.abandon(open, "debugger_gone", "the debugger that was attached has died");
  }

  private abandon({ pauseState, target, emit }: OpenSession, reason: string, why: string): void {
    this.hold = { reason: pauseState.pauseReason ?? "pause", durationMs: 0, unattended: why };
    pauseState.resume(reason);
    if (target.unattended) return;
    target.unattended = true;
    const message = `${why}; calls are not held again until somebody sends a command, such as: debug-bridge agent inspect`;
    emit("error", { message, context: "hook" });
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
