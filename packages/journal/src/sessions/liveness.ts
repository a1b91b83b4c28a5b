import { readFileSync } from "node:fs";
import type { SessionFile } from "@debug-bridge/protocol";

/** Position of the start time in `/proc/PID/stat`, counted from the end of the command name. */
const START_TIME_FIELD = 19;

/**
 * The start time of a process, in the units of its system. Process ids are reused, especially in containers, where every
 * run starts with the same ids. Together with the start time an id is unique.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_TIME_FIELD];
  } catch {
    return undefined;
  }
}

/** Whether the process that owns a session is running. */
export function isAlive(session: Pick<SessionFile, "pid"> & { processStart?: unknown }): boolean {
  try {
    process.kill(session.pid, 0);
  } catch (thrown) {
    // EPERM: the process is running and belongs to another user.
    if ((thrown as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const started = processStart(session.pid);
  return (
    typeof session.processStart !== "string" || started === undefined || started === session.processStart
  );
}

/** Whether a session can still be debugged: its process is running and the session did not end. */
export function isActive(session: SessionFile): boolean {
  return session.endTime === undefined && isAlive(session);
}
