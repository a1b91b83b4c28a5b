import { spawn } from "node:child_process";
import { BridgeError } from "@debug-bridge/protocol";

const MAX_OUTPUT = 256 * 1024;
const DEFAULT_LIMIT_MS = 120_000;

export interface CommandOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Runs a shell command and returns what it printed; a command that fails is thrown, with its output. */
export function runCommand(command: string, options: CommandOptions): Promise<string> {
  const limit = options.timeoutMs ?? DEFAULT_LIMIT_MS;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(limit)]);
  return new Promise((resolve, reject) => {
    // In a group of its own, so that what the command started ends with it.
    const child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const take = (data: Buffer): void => {
      if (output.length < MAX_OUTPUT) output += data.toString("utf8").slice(0, MAX_OUTPUT - output.length);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const stop = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {}
    };
    // When this process ends in any way that it notices, the command does not stay behind.
    process.once("exit", stop);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", stop);
      signal.removeEventListener("abort", stop);
      if (options.signal.aborted) reject(options.signal.reason);
      else if (signal.aborted)
        reject(new BridgeError("timeout", `the command ran longer than ${limit} ms\n${output}`));
      else if (code === 0) resolve(output);
      else reject(new BridgeError("tool_failed", `exit code ${code}\n${output}`));
    });
  });
}
