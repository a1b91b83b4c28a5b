import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The root of the workspace. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Path of a program that a dependency installed. */
export const bin = (name) => `${root}node_modules/.bin/${name}${process.platform === "win32" ? ".cmd" : ""}`;

/**
 * Runs a program in the workspace; its output goes to stderr, so that stdout stays clean. Resolves with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, quiet?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", options.quiet ? "pipe" : 2, options.quiet ? "pipe" : 2],
      shell: process.platform === "win32",
    });
    let output = "";
    child.stdout?.on("data", (data) => {
      output += data;
    });
    child.stderr?.on("data", (data) => {
      output += data;
    });
    child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
