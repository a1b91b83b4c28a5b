import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { isAlive, processStart } from "./liveness.js";

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The session of the operating system: that of a process that was started detached is its own id. */
  readonly session: number;
}

interface Found {
  readonly pid: number;
  readonly processStart: string | undefined;
}

const LOOK_EVERY_MS = 20;
const run = promisify(execFile);

/**
 * Ends a process and everything that it started, also what left its group. It asks first, and kills what still runs
 * after `graceMs`. A process that was started detached takes along what its children left behind, too.
 */
export async function endProcessTree(pid: number, graceMs = 1_000): Promise<void> {
  if (process.platform === "win32") {
    await run("taskkill", ["/PID", String(pid), "/T", "/F"]).catch(() => {});
    return;
  }
  const found = new Map<number, Found>();
  await addTree(pid, found);
  for (const each of found.values()) signal(each, "SIGTERM");
  const end = Date.now() + graceMs;
  while (Date.now() < end && [...found.values()].some(isRunning))
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  // What was started while it ended.
  await addTree(pid, found);
  for (const each of found.values()) signal(each, "SIGKILL");
}

async function addTree(root: number, found: Map<number, Found>): Promise<void> {
  const all = await processes();
  const members = new Set([root, ...found.keys()]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent, session } of all)
      if (!members.has(pid) && (members.has(parent) || session === root)) {
        members.add(pid);
        grew = true;
      }
  }
  members.delete(process.pid);
  for (const pid of members) if (!found.has(pid)) found.set(pid, { pid, processStart: processStart(pid) });
}

async function processes(): Promise<ProcessEntry[]> {
  if (process.platform === "linux")
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readEntry(Number(name)));
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,sess="]).catch(() => ({ stdout: "" }));
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, session = 0]) => ({ pid, parent, session }));
}

function readEntry(pid: number): ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [{ pid, parent: Number(parent), session: Number(session) }];
  } catch {
    return [];
  }
}

/** A process that has ended, and whose parent did not ask for its exit code yet, does not count. */
function isRunning(found: Found): boolean {
  if (!isAlive(found)) return false;
  try {
    const stat = readFileSync(`/proc/${found.pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
  } catch {
    return process.platform !== "linux";
  }
}

function signal(found: Found, name: NodeJS.Signals): void {
  try {
    if (isRunning(found)) process.kill(found.pid, name);
  } catch {
    // It ended in the meantime.
  }
}
