import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { isAlive } from "@debug-bridge/journal";

const RETRY_MS = 2;
/** Whoever holds the lock does so for a few milliseconds; one that takes longer is not worth holding an agent up for. */
const GIVE_UP_AFTER_MS = 2_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Does something while no other process does it. A lock whose holder died is taken over. */
export function withLock<Result>(path: string, action: () => Result): Result {
  const end = Date.now() + GIVE_UP_AFTER_MS;
  while (!tryLock(path)) {
    if (Date.now() > end) throw new Error(`${path} is held by another process`);
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

/** Takes a lock away whose holder is dead; puts it back when another process was faster and holds it by now. */
function removeIfAbandoned(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    if (!isAbandoned(path)) return;
    renameSync(path, aside);
    if (!isAbandoned(aside)) linkSync(aside, path);
  } catch {
    // It was let go, or taken, meanwhile.
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAbandoned(path: string): boolean {
  const pid = Number(readFileSync(path, "utf8"));
  // A process that died before it wrote its number left an empty file.
  return pid > 0 ? !isAlive({ pid }) : Date.now() - statSync(path).mtimeMs > GIVE_UP_AFTER_MS / 2;
}
