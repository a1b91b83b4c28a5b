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

const POLL_INTERVAL_MS = 20;
const GRACE_MS = 1_000;
const run = promisify(execFile);

/** The variable of the environment by which everything that a process started is known on Linux, whatever became of its parents. */
export const TREE_MARK = "DEBUG_BRIDGE_PROCESS_TREE";

/**
 * Ends a process and everything that it started, also what left its group. It asks first, and kills what still runs
 * after a second. A process that was started detached takes along what its children left behind, too; with a mark in
 * its environment also what left its session before its parent ended.
 */
export async function endProcessTree(pid: number, mark = ""): Promise<void> {
  if (process.platform === "win32") {
    await run("taskkill", ["/PID", String(pid), "/T", "/F"]).catch(() => {});
    return;
  }
  const found = new Map<number, Found>();
  await addTree(pid, mark, found);
  for (const each of found.values()) signal(each, "SIGTERM");
  const end = Date.now() + GRACE_MS;
  while (Date.now() < end && [...found.values()].some(isRunning))
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  // What was started while it ended.
  await addTree(pid, mark, found);
  for (const each of found.values()) signal(each, "SIGKILL");
}

async function addTree(root: number, mark: string, found: Map<number, Found>): Promise<void> {
  const all = await processes();
  const members = new Set([root, ...found.keys()]);
  if (mark) for (const { pid } of all) if (isMarked(pid, mark)) members.add(pid);
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

function isMarked(pid: number, mark: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`.includes(`\0${TREE_MARK}=${mark}\0`);
  } catch {
    // It ended, or belongs to another user.
    return false;
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
