import fs from "node:fs";
import module from "node:module";
import type { Socket } from "node:net";

/** What Node's permission model leaves open to code that knows where to look, by module. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  // Signals to other processes, among them the one that started this one.
  process: [
    "kill",
    "_kill",
    "_debugProcess",
    "_debugEnd",
    "binding",
    "_linkedBinding",
    "dlopen",
    "execve",
    "report",
  ],
  os: ["setPriority"],
  // Flags of V8 open files and switch on internal functions.
  v8: ["setFlagsFromString", "writeHeapSnapshot", "setHeapSnapshotNearHeapLimit", "startupSnapshot"],
  // A loader runs in a separate thread, where none of this is closed.
  module: ["register", "registerHooks"],
  // A database can attach files that its constructor was not given.
  "node:sqlite": ["DatabaseSync", "backup"],
  trace_events: ["createTracing"],
  crypto: ["setEngine"],
};

/** The system's own programs listen on local sockets and run commands for any client that connects. */
const CLOSED_PIPE = ["connect", "connect2", "bind", "listen", "open", "fchmod"] as const;

/**
 * Closes what the permission model does not: signals to other processes, local sockets, flags of V8. Runs before any
 * other code, which afterwards has no way back to the originals. `pipe` is any open pipe of this process.
 */
export function restrictProcess(pipe: Socket): void {
  if (process.permission === undefined) throw new Error("the permission model is not on");
  for (const [name, members] of Object.entries(CLOSED)) {
    const target: object | undefined =
      name === "process" ? process : module.isBuiltin(name) ? load(name) : undefined;
    if (target) for (const member of members) close(target, member, `${name}.${member}`);
  }
  const { _handle: handle } = pipe as unknown as { _handle: object };
  const prototype = Object.getPrototypeOf(handle) as object;
  for (const member of CLOSED_PIPE) close(prototype, member, "a local socket");
  answerWhenDenied();
  module.syncBuiltinESMExports();
}

const load = module.createRequire(import.meta.url);

function close(target: object, member: string, what: string): void {
  if (!(member in target)) return;
  const refuse = function refuse(): never {
    throw new Error(`${what} is closed to execute, which may use only the network and the tabs`);
  };
  Object.defineProperty(target, member, { value: refuse, writable: false, configurable: false });
}

/** Node 20 throws where later versions answer "no", which Playwright relies on while it loads. */
function answerWhenDenied(): void {
  const { existsSync } = fs;
  fs.existsSync = (path) => {
    try {
      return existsSync(path);
    } catch {
      return false;
    }
  };
}
