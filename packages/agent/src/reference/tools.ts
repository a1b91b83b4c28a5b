import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { runCommand } from "./run-command.js";

type Input = Readonly<Record<string, unknown>>;
type Tool = (input: Input, signal: AbortSignal) => Promise<string>;

/** The tools of the reference agent. Files are those below `cwd`, and no others. */
export function createTools(cwd: string): Readonly<Record<string, Tool>> {
  return {
    read_file: async (input) => readFile(await within(cwd, text(input, "path")), "utf8"),
    list_files: async (input) => {
      const path = await within(cwd, input.path === undefined ? "." : text(input, "path"));
      const entries = await readdir(path, { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).join("\n");
    },
    write_file: async (input) => {
      const path = await within(cwd, text(input, "path"));
      const content = text(input, "content");
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return `wrote ${Buffer.byteLength(content)} bytes to ${relative(cwd, path)}`;
    },
    run_command: async (input, signal) => {
      const { timeoutMs } = input;
      const limit = typeof timeoutMs === "number" && timeoutMs > 0 ? { timeoutMs } : {};
      return runCommand(text(input, "command"), { cwd, signal, ...limit });
    },
  };
}

function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === "string") return value;
  throw new BridgeError("invalid_message", `the input needs "${name}", a string`, { field: name });
}

/** A path below a folder, links followed; anything else is refused. */
async function within(folder: string, path: string): Promise<string> {
  const root = await realpath(folder);
  const wanted = resolve(root, path);
  const real = await realpathOfNearest(wanted);
  if (real === root || real.startsWith(root + sep)) return wanted;
  throw new BridgeError("tool_failed", `${path} lies outside ${folder}; only what is in it can be used`);
}

/** Where a path leads that may not be there yet: its nearest folder that is, and the rest. */
async function realpathOfNearest(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(await realpathOfNearest(parent), relative(parent, path));
  }
}
