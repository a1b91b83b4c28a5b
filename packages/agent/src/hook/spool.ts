import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { debugPaths, readLines, readRegular, replaceFile, withLock } from "@debug-bridge/journal";
import { type HookInput, readHookInput } from "./input/hook-input.js";
import { recordHook } from "./record-hook.js";
import { HookSession } from "./session/hook-session.js";

/** The order file is replaced when it has grown to this size. */
const MAX_ORDER_BYTES = 64 * 1024;
/** A hook that was ended between its two writes left a file that is not in the order. */
const ABANDONED_MS = 10_000;
/** Agents write their transcripts in the background; they say how a tool ended. */
const SETTLE_MS = 50;
const ENTRY = /^[1-9]\d{0,9}\.[1-9]\d{0,9}$/;

/** How far the order files were read: the current one, and the one that it replaced. */
interface Progress {
  readonly order: number;
  readonly old: number;
}

interface Spooled {
  readonly name: string;
  readonly file: string;
  readonly input: HookInput;
  readonly at: Date;
}

/**
 * Records the hooks that shells wrote to the spool (`hook.sh`), in their order. Each is a file, named after the agent's
 * process and the shell's; `order` has one line per file. Does nothing when the spool is empty.
 */
export function drainSpool(root: string): void {
  const folder = spoolFolder(root);
  if (isEmpty(folder)) return;
  withLock(`${folder}.lock`, () => {
    let progress = readProgress(folder);
    const old = readEntries(join(folder, "order.old"), progress.old);
    const order = readEntries(join(folder, "order"), progress.order);
    const names = [...new Set([...old.names, ...order.names])];
    record(root, folder, names);
    record(root, folder, abandonedIn(folder));
    progress = { old: old.end, order: order.end };
    if (order.end > MAX_ORDER_BYTES) {
      // A shell that opened the file before still writes to it, so that it is read once more.
      renameSync(join(folder, "order"), join(folder, "order.old"));
      progress = { old: order.end, order: 0 };
    }
    replaceFile(join(folder, "read.json"), JSON.stringify(progress));
  });
}

/** Records hooks from the spool as they come, for clients that watch agents. Returns a function that stops. */
export function followSpool(root: string): () => void {
  const folder = spoolFolder(root);
  let timer: NodeJS.Timeout | undefined;
  const drain = (): void => {
    timer = undefined;
    try {
      drainSpool(root);
    } catch {
      // Another process reads it, or the disk is full: the next one tries again.
    }
  };
  try {
    makeSpool(root);
    const watcher = watch(folder, (_event, name) => {
      if (name === "order") timer ??= setTimeout(drain, SETTLE_MS).unref();
    });
    watcher.unref();
    watcher.on("error", () => watcher.close());
    drain();
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => {};
  }
}

/** Creates the spool: shells do not create folders. */
export function makeSpool(root: string): void {
  mkdirSync(spoolFolder(root), { recursive: true, mode: 0o700 });
}

const spoolFolder = (root: string): string => join(debugPaths(root).hooks, "spool");

function isEmpty(folder: string): boolean {
  try {
    return !readdirSync(folder).some((name) => ENTRY.test(name));
  } catch {
    return true;
  }
}

function readProgress(folder: string): Progress {
  try {
    const { order, old } = JSON.parse(readRegular(join(folder, "read.json"))) as Progress;
    if (Number.isSafeInteger(order) && Number.isSafeInteger(old)) return { order, old };
  } catch {
    // Nothing was read so far.
  }
  return { order: 0, old: 0 };
}

function readEntries(file: string, from: number): { names: string[]; end: number } {
  const names: string[] = [];
  const size = lstatSync(file, { throwIfNoEntry: false })?.size;
  // A file that is shorter than what was read is another one.
  let end = size === undefined || size < from ? 0 : from;
  if (size === undefined) return { names, end };
  for (const line of readLines(file, end, false)) {
    if (ENTRY.test(line.text)) names.push(line.text);
    end = line.end;
  }
  return { names, end };
}

/** Records entries, those of one agent that follow each other at once. */
function record(root: string, folder: string, names: readonly string[]): void {
  let group: Spooled[] = [];
  const flush = (): void => {
    const [first] = group;
    if (!first) return;
    const session = HookSession.of(root, first.input, Number(first.name.split(".")[0]));
    session.record(
      group.map(({ name, input, at }) => ({
        id: `${name} ${at.getTime()}`,
        record: (open) => recordHook(open, input, at),
      })),
    );
    for (const { file } of group) rmSync(file, { force: true });
    group = [];
  };
  for (const name of names) {
    const entry = readEntry(join(folder, name), name);
    if (!entry) continue;
    if (group[0] && group[0].input.session_id !== entry.input.session_id) flush();
    group.push(entry);
  }
  flush();
}

function readEntry(file: string, name: string): Spooled | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const at = lstatSync(file).mtime;
    const input = readHookInput(readRegular(file));
    if (input) return { name, file, input, at };
  } catch {
    // Not a regular file.
  }
  rmSync(file, { force: true, recursive: true });
  return undefined;
}

function abandonedIn(folder: string): string[] {
  const before = Date.now() - ABANDONED_MS;
  return readdirSync(folder)
    .filter((name) => ENTRY.test(name))
    .map((name) => ({
      name,
      time: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? before,
    }))
    .filter(({ time }) => time < before)
    .sort((a, b) => a.time - b.time)
    .map(({ name }) => name);
}
