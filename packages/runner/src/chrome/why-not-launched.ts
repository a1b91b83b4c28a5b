import { execFile } from "node:child_process";
import { stripControlCharacters } from "@debug-bridge/protocol";

const PROBE_MS = 10_000;
const MAX_LINES = 10;

/**
 * What Chrome itself says when it does not come up. Through the pipe nothing of that is heard, so it is run once more
 * with nothing to do but to end. `undefined`: this time it came up.
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
