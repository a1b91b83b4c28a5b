import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { runCommand } from "./run-command.js";

export type ToolInput = Readonly<Record<string, unknown>>;

/** A tool of the reference agent. */
export interface ReferenceTool {
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: object;
  run(input: ToolInput, signal: AbortSignal): Promise<string>;
}
export type ReferenceTools = Readonly<Record<string, ReferenceTool>>;

const path = { type: "string", description: "relative to the working folder" };

/** The built-in tools of the reference agent. They access only files in `cwd`. */
export function createTools(cwd: string): ReferenceTools {
  return {
    read_file: {
      description: "Returns the content of a text file.",
      inputSchema: schema({ path }, ["path"]),
      run: async (input) => readFile(await within(cwd, text(input, "path")), "utf8"),
    },
    list_files: {
      description: "Lists a folder, by default the working folder. Folders end with a slash.",
      inputSchema: schema({ path }),
      run: async (input) => {
        const folder = await within(cwd, input.path === undefined ? "." : text(input, "path"));
        const entries = await readdir(folder, { withFileTypes: true });
        return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).join("\n");
      },
    },
    write_file: {
      description: "Writes a whole text file; creates missing folders.",
      inputSchema: schema({ path, content: { type: "string" } }, ["path", "content"]),
      run: async (input) => {
        const file = await within(cwd, text(input, "path"));
        const content = text(input, "content");
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
        return `wrote ${Buffer.byteLength(content)} bytes to ${relative(cwd, file)}`;
      },
    },
    run_command: {
      description: "Runs a shell command in the working folder and returns its output.",
      inputSchema: schema(
        { command: { type: "string" }, timeoutMs: { type: "number", description: "default 120000" } },
        ["command"],
      ),
      run: async (input, signal) => {
        const { timeoutMs } = input;
        const limit = typeof timeoutMs === "number" && timeoutMs > 0 ? { timeoutMs } : {};
        return runCommand(text(input, "command"), { cwd, signal, ...limit });
      },
    },
  };
}

function schema(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, required, additionalProperties: false };
}

function text(input: ToolInput, name: string): string {
  const value = input[name];
  if (typeof value === "string") return value;
  throw new BridgeError("invalid_message", `the input has no "${name}"; it must be a string`, {
    field: name,
  });
}

/** Resolves a path, including links, and rejects one outside the folder. */
async function within(folder: string, wantedPath: string): Promise<string> {
  const root = await realpath(folder);
  const wanted = resolve(root, wantedPath);
  const real = await realpathOfNearest(wanted);
  if (real === root || real.startsWith(root + sep)) return wanted;
  throw new BridgeError(
    "tool_failed",
    `${wantedPath} is outside the working folder ${folder}; use a path inside it`,
  );
}

/** Resolves a path that may not exist yet: its nearest existing folder, and the rest. */
async function realpathOfNearest(wanted: string): Promise<string> {
  try {
    return await realpath(wanted);
  } catch {
    const parent = dirname(wanted);
    return parent === wanted ? wanted : resolve(await realpathOfNearest(parent), relative(parent, wanted));
  }
}
