import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the workspace, with a separator at its end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

const isWindows = process.platform === "win32";

/** Path of a program that a dependency installed. */
export const bin = (name) => join(root, "node_modules", ".bin", `${name}${isWindows ? ".cmd" : ""}`);

/**
 * Runs a program in the workspace and resolves with its exit code. Its output goes to stderr, so that stdout stays
 * clean; with `quiet` it is collected instead.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, quiet?: boolean }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    // On Windows npm and the programs in .bin are .cmd files, which need a shell. A shell needs quotes.
    const needsShell = isWindows && command !== process.execPath;
    const quoted = needsShell ? [command, ...args].map((arg) => `"${arg}"`) : [command, ...args];
    const child = spawn(/** @type {string} */ (quoted[0]), quoted.slice(1), {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", options.quiet ? "pipe" : 2, options.quiet ? "pipe" : 2],
      shell: needsShell,
    });
    let stdout = "";
    let output = "";
    child.stdout?.on("data", (data) => {
      stdout += data;
      output += data;
    });
    child.stderr?.on("data", (data) => {
      output += data;
    });
    child.on("error", (error) => resolve({ code: 127, stdout, output: `${output}${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, output }));
  });
}
