import { execFile } from "node:child_process";
import { stripControlCharacters } from "@debug-bridge/protocol";

const PROBE_MS = 10_000;
const MAX_LINES = 10;

/**
 * What Chrome prints when it fails to start. Its output is not available when it is driven through a pipe, so it runs
 * once more and exits at once. `undefined` when Chrome starts this time.
 */
export function whyNotLaunched(
  executablePath: string,
  launchArguments: readonly string[],
): Promise<string | undefined> {
  const probe = [...launchArguments, "--dump-dom", "about:blank"];
  return new Promise((resolve) => {
    execFile(executablePath, probe, { timeout: PROBE_MS, killSignal: "SIGKILL" }, (error, _, stderr) => {
      if (!error || error.killed) return resolve(undefined);
      const lines = stripControlCharacters(stderr)
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
      resolve(lines.slice(-MAX_LINES).join("\n") || error.message);
    });
  });
}
