import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { jsonValue, withJsonEntry, withoutJsonEntry } from "./json-settings.js";
import { ENTRY_NAME, type ServerProgram } from "./server-entry.js";
import { withoutTomlEntry, withTomlEntry } from "./toml-settings.js";

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** A client of MCP and where it keeps its servers, for all projects of a person. */
export interface McpClient {
  readonly title: string;
  file(machine?: Machine): string;
  /** The settings with our entry. Throws if they cannot be read. */
  add(settings: string, program: ServerProgram): string;
  /** The settings without our entry. */
  remove(settings: string): string;
}

const THIS_MACHINE: Machine = { env: process.env, home: homedir(), platform: process.platform };

/** `~/.config`, where programs that follow the XDG rules keep their settings. */
const xdgConfig = ({ env, home }: Machine): string => env.XDG_CONFIG_HOME || join(home, ".config");
const appData = ({ env, home }: Machine): string => env.APPDATA || join(home, "AppData", "Roaming");

function jsonClient(
  title: string,
  place: string,
  file: (machine: Machine) => string,
  entry: (program: ServerProgram) => Record<string, unknown> = ({ command, args }) => ({ command, args }),
): McpClient {
  return {
    title,
    file: (machine = THIS_MACHINE) => file(machine),
    add: (settings, program) => withJsonEntry(settings, [place, ENTRY_NAME], entry(program)),
    remove: (settings) => withoutJsonEntry(settings, [place, ENTRY_NAME]),
  };
}

const withType = ({ command, args }: ServerProgram): Record<string, unknown> => ({
  type: "stdio",
  command,
  args,
});

export const CLIENTS: Readonly<Record<string, McpClient>> = {
  "claude-code": jsonClient(
    "Claude Code",
    "mcpServers",
    ({ env, home }) => join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
    withType,
  ),
  codex: {
    title: "Codex",
    file: ({ env, home } = THIS_MACHINE) => join(env.CODEX_HOME || join(home, ".codex"), "config.toml"),
    add: (settings, { command, args }) =>
      withTomlEntry(settings, "mcp_servers", ENTRY_NAME, { command, args: [...args] }),
    remove: (settings) => withoutTomlEntry(settings, "mcp_servers", ENTRY_NAME),
  },
  cursor: jsonClient("Cursor", "mcpServers", ({ home }) => join(home, ".cursor", "mcp.json")),
  vscode: jsonClient("VS Code", "servers", (machine) => join(codeFolder(machine), "mcp.json"), withType),
  gemini: jsonClient("Gemini CLI", "mcpServers", ({ env, home }) =>
    join(env.GEMINI_CLI_HOME || home, ".gemini", "settings.json"),
  ),
  opencode: {
    ...jsonClient("opencode", "mcp", (machine) => {
      const folder = join(xdgConfig(machine), "opencode");
      const commented = join(folder, "opencode.jsonc");
      return existsSync(commented) ? commented : join(folder, "opencode.json");
    }),
    add: (settings, { command, args }) =>
      withJsonEntry(settings, opencodePlace(settings), { type: "local", command: [command, ...args] }),
    remove: (settings) => withoutJsonEntry(settings, opencodePlace(settings)),
  },
  zed: jsonClient("Zed", "context_servers", (machine) =>
    machine.platform === "win32"
      ? join(appData(machine), "Zed", "settings.json")
      : join(
          machine.platform === "darwin" ? join(machine.home, ".config") : xdgConfig(machine),
          "zed",
          "settings.json",
        ),
  ),
};

/** opencode 2 has its servers one level below; both versions read both forms. */
function opencodePlace(settings: string): string[] {
  const servers = jsonValue(settings, ["mcp", "servers"]);
  const isList = typeof servers === "object" && servers !== null && !("type" in servers);
  return isList ? ["mcp", "servers", ENTRY_NAME] : ["mcp", ENTRY_NAME];
}

function codeFolder(machine: Machine): string {
  const { platform, home } = machine;
  if (platform === "win32") return join(appData(machine), "Code", "User");
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User");
  return join(xdgConfig(machine), "Code", "User");
}

export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

/** The clients that have settings on this machine. */
export function installedClients(machine: Machine = THIS_MACHINE): string[] {
  return CLIENT_NAMES.filter((name) => {
    const file = (CLIENTS[name] as McpClient).file(machine);
    // Claude Code keeps its settings in the home itself, where the folder says nothing.
    return existsSync(file) || (name !== "claude-code" && existsSync(dirname(file)));
  });
}
