import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { isAlive } from "../sessions/liveness.js";
import { readRegular } from "./regular-file.js";

const RETRY_MS = 2;
/** A lock is held for a few milliseconds. Waiting longer would hold up the agent. */
const LOCK_TIMEOUT_MS = 2_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Runs an action while holding a lock file. Takes over the lock of a process that died. */
export function withLock<Result>(path: string, action: () => Result): Result {
  const end = performance.now() + LOCK_TIMEOUT_MS;
  while (!tryLock(path)) {
    if (performance.now() > end)
      throw new Error(`${path} is locked by another process; delete it if no debug-bridge is running`);
    removeIfAbandoned(path);
    Atomics.wait(pause, 0, 0, RETRY_MS);
  }
  try {
    return action();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

/** Removes the lock of a process that died. Restores it if another process took the lock over in the meantime. */
function removeIfAbandoned(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    if (!isAbandoned(path)) return;
    renameSync(path, aside);
    if (!isAbandoned(aside)) linkSync(aside, path);
  } catch {
    // Another process released or took over the lock in the meantime.
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAbandoned(path: string): boolean {
  const pid = Number(readRegular(path));
  // A process that died before it wrote its id left an empty file.
  return pid > 0 ? !isAlive({ pid }) : Date.now() - statSync(path).mtimeMs > LOCK_TIMEOUT_MS / 2;
}
