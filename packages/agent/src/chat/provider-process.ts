import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { endProcessTree, LineSplitter, TREE_MARK } from "@debug-bridge/journal";
import { processGuard } from "./guard/process-guard.js";

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface ProcessOptions extends ProgramOptions {
  /** Written to its standard input, which is then closed. */
  readonly input: string;
  /** Called for each complete line of its standard output. */
  onLine(line: string): void;
}

export interface Exit {
  /** Why it could not be started. */
  readonly error?: Error;
  readonly code: number | null;
  /** The end of what it wrote to standard error. */
  readonly stderr: string;
}

export interface ProviderProcess {
  readonly pid: number | undefined;
  /** Never rejects. All lines were reported before. */
  readonly exited: Promise<Exit>;
  /** Ends it and everything that it started, within two seconds. */
  stop(): Promise<void>;
}

/** A longer line is ignored: it is no event that anybody could show. A picture is in it in base64. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_STDERR_CHARACTERS = 8_000;
/** How long what is left in the pipes is read after the process ended. Its children may keep them open. */
const PIPE_TIMEOUT_MS = 300;

/** Starts the program of a provider, in a separate process group. It ends when this process does. */
export function startProgram({
  command,
  args,
  cwd,
  env = {},
}: ProgramOptions): ProviderProcess & { readonly child: ChildProcessWithoutNullStreams } {
  const mark = randomUUID();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env, [TREE_MARK]: mark },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  if (child.pid !== undefined) guard(child, child.pid, mark);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
  });
  // It may end before it reads its input.
  child.stdin.on("error", () => {});
  return {
    child,
    pid: child.pid,
    exited: untilExited(child, () => stderr),
    stop: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        await endProcessTree(child.pid, mark);
    },
  };
}

/** What a program left behind that failed or was killed is ended, by this process or by the guard if this one ends meanwhile. */
function guard(child: ChildProcess, pid: number, mark: string): void {
  const endWatch = processGuard.watch(pid, mark);
  child.once("exit", (code) => {
    if (code === 0) endWatch();
    else endProcessTree(pid, mark).finally(endWatch);
  });
}

/** The same for a program that gets one text and answers in lines. */
export function startProcess({ input, onLine, ...options }: ProcessOptions): ProviderProcess {
  const { child, ...running } = startProgram(options);
  const lines = new LineSplitter(0, MAX_LINE_BYTES);
  child.stdout.on("data", (chunk: Buffer) => {
    for (const { text, cut } of lines.push(chunk)) if (!cut) onLine(text);
  });
  child.stdin.end(input);
  return running;
}

function untilExited(child: ChildProcess, stderr: () => string): Promise<Exit> {
  return new Promise((resolve) => {
    const finish = (code: number | null, error?: Error): void =>
      resolve({ code, stderr: stderr(), ...(error === undefined ? {} : { error }) });
    child.once("error", (error) => finish(null, error));
    child.once("close", (code) => finish(code));
    child.once("exit", (code) => setTimeout(() => finish(code), PIPE_TIMEOUT_MS).unref());
  });
}
