import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { runCommand } from "./run-command.js";

export type ToolInput = Readonly<Record<string, unknown>>;

/** A tool that the reference agent can be given. */
export interface ReferenceTool {
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: object;
  run(input: ToolInput, signal: AbortSignal): Promise<string>;
}
export type ReferenceTools = Readonly<Record<string, ReferenceTool>>;

const path = { type: "string", description: "relative to the working folder" };

/** The reference agent's own tools. Files are those below `cwd`, and no others. */
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
      description: "Writes a text file, whole; makes the folders that it needs.",
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
      description: "Runs a shell command in the working folder and returns what it prints.",
      inputSchema: schema(
        { command: { type: "string" }, timeoutMs: { type: "number", description: "120000 unless told" } },
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
  throw new BridgeError("invalid_message", `the input needs "${name}", a string`, { field: name });
}

/** A path below a folder, links followed; anything else is refused. */
async function within(folder: string, wantedPath: string): Promise<string> {
  const root = await realpath(folder);
  const wanted = resolve(root, wantedPath);
  const real = await realpathOfNearest(wanted);
  if (real === root || real.startsWith(root + sep)) return wanted;
  throw new BridgeError(
    "tool_failed",
    `${wantedPath} lies outside ${folder}; only what is in it can be used`,
  );
}

/** Where a path leads that may not be there yet: its nearest folder that is, and the rest. */
async function realpathOfNearest(wanted: string): Promise<string> {
  try {
    return await realpath(wanted);
  } catch {
    const parent = dirname(wanted);
    return parent === wanted ? wanted : resolve(await realpathOfNearest(parent), relative(parent, wanted));
  }
}
