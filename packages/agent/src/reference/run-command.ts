import { spawn } from "node:child_process";
import { BridgeError } from "@debug-bridge/protocol";

const MAX_OUTPUT = 256 * 1024;
const DEFAULT_TIMEOUT_MS = 120_000;

export interface CommandOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** Runs a shell command and returns its output. A command that fails throws, with its output. */
export function runCommand(command: string, options: CommandOptions): Promise<string> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve, reject) => {
    // In its own process group, so that child processes end with it.
    const child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const append = (data: Buffer): void => {
      if (output.length < MAX_OUTPUT) output += data.toString("utf8").slice(0, MAX_OUTPUT - output.length);
    };
    child.stdout.on("data", append);
    child.stderr.on("data", append);
    const stop = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {}
    };
    // The command ends when this process exits.
    process.once("exit", stop);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", stop);
      signal.removeEventListener("abort", stop);
      if (options.signal.aborted) reject(options.signal.reason);
      else if (signal.aborted)
        reject(new BridgeError("timeout", `the command ran longer than ${timeoutMs} ms\n${output}`));
      else if (code === 0) resolve(output);
      else reject(new BridgeError("tool_failed", `exit code ${code}\n${output}`));
    });
  });
}
