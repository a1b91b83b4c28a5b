import { readFileSync } from "node:fs";
import type { SessionFile } from "@debug-bridge/protocol";

/** Where `/proc/PID/stat` has the start time, counted from the end of the command name. */
const START_TIME_FIELD = 19;

/**
 * When a process started, as its system counts it. A number of a process is used again, above all in containers,
 * where every run begins with the same ones; with its start it names one process.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_TIME_FIELD];
  } catch {
    return undefined;
  }
}

/** Whether the process that owns a session lives. */
export function isAlive(session: Pick<SessionFile, "pid"> & { processStart?: unknown }): boolean {
  try {
    process.kill(session.pid, 0);
  } catch (thrown) {
    // EPERM: it lives and belongs to someone else.
    if ((thrown as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const started = processStart(session.pid);
  return (
    typeof session.processStart !== "string" || started === undefined || started === session.processStart
  );
}

/** A session that can still be debugged: its process lives, and it did not say that it ended. */
export function isActive(session: SessionFile): boolean {
  return session.endTime === undefined && isAlive(session);
}
