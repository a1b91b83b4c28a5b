/** A program: ends the process trees that are named on its standard input when that ends. `+PID START` adds one, `-PID` removes it. */
import { createInterface } from "node:readline";
import { endProcessTree, processStart } from "@debug-bridge/journal";

/** Start times by process id; empty where the system does not say. */
const watched = new Map<number, string>();

/** Whether the id belongs to another process by now. If the process is gone, what it left may still run. */
function isReused(pid: number, start: string): boolean {
  const now = processStart(pid);
  return start !== "" && now !== undefined && now !== start;
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [, sign, pid, start = ""] = /^([+-])(\d+) ?(\d*)$/.exec(line) ?? [];
    if (sign === "+") watched.set(Number(pid), start);
    else if (sign === "-") watched.delete(Number(pid));
  })
  .on("close", () => {
    for (const [pid, start] of watched) if (!isReused(pid, start)) void endProcessTree(pid);
  });
