/** A program: ends the process trees that are named on its standard input when that ends. `+PID START MARK` adds one, `-PID` removes it. */
import { createInterface } from "node:readline";
import { endProcessTree, processStart } from "@debug-bridge/journal";

/** By process id. The start time is empty where the system does not say. */
const watched = new Map<number, { start: string; mark: string }>();

/** Whether the id belongs to another process by now. If the process is gone, what it left may still run. */
function isReused(pid: number, start: string): boolean {
  const now = processStart(pid);
  return start !== "" && now !== undefined && now !== start;
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [, sign, pid, start = "", mark = ""] = /^([+-])(\d+) ?(\d*) ?(\S*)$/.exec(line) ?? [];
    if (sign === "+") watched.set(Number(pid), { start, mark });
    else if (sign === "-") watched.delete(Number(pid));
  })
  .on("close", () => {
    for (const [pid, { start, mark }] of watched) if (!isReused(pid, start)) void endProcessTree(pid, mark);
  });
