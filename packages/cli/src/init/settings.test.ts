import { describe, expect, it } from "vitest";
import { CLIENTS, type McpClient } from "./clients.js";
import { serverProgram } from "./server-entry.js";

const PROGRAM = { command: "/usr/bin/node", args: ['/opt/it\'s "here"/debug-bridge.js', "mcp"] };
const client = (name: string): McpClient => CLIENTS[name] as McpClient;
const machine = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) => ({ env, home: "/me", platform });

describe("settings in JSON", () => {
  const zed = client("zed");
  const SETTINGS =
    '// my settings\r\n{\r\n\t"vim_mode": true, // always\r\n\t"context_servers": {},\r\n}\r\n';

  it("keep comments, order, line ends and trailing commas", () => {
    const after = zed.add(SETTINGS, PROGRAM);
    expect(after).toContain('\t"vim_mode": true, // always\r\n');
    expect(after.startsWith("// my settings\r\n")).toBe(true);
    expect(after).toContain('\t\t"debug-bridge": {\r\n\t\t\t"command": "/usr/bin/node"');
    expect(after).toContain(JSON.stringify(PROGRAM.args[0]));
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    expect(zed.add(after, PROGRAM)).toBe(after);
    expect(zed.remove(after)).not.toContain("debug-bridge");
  });

  it("are created when there are none", () => {
    for (const none of ["", "\n", "\uFEFF"]) {
      const after = client("claude-code").add(none, PROGRAM).replace("\uFEFF", "");
      expect(JSON.parse(after)).toEqual({ mcpServers: { "debug-bridge": { type: "stdio", ...PROGRAM } } });
    }
    expect(JSON.parse(client("vscode").add("{}", PROGRAM))).toEqual({
      servers: { "debug-bridge": { type: "stdio", ...PROGRAM } },
    });
  });

  it("keep what others added to our entry, and get the program of now", () => {
    const before = '{"mcpServers": {"debug-bridge": {"command": "npx", "args": ["old"], "env": {"A": "1"}}}}';
    expect(JSON.parse(client("cursor").add(before, PROGRAM)).mcpServers["debug-bridge"]).toEqual({
      ...PROGRAM,
      env: { A: "1" },
    });
  });

  it("of opencode have the entry where the version of the file has it", () => {
    const entry = { type: "local", command: [PROGRAM.command, ...PROGRAM.args] };
    expect(JSON.parse(client("opencode").add("{}", PROGRAM)).mcp).toEqual({ "debug-bridge": entry });
    const nested = client("opencode").add('{"mcp": {"servers": {}}}', PROGRAM);
    expect(JSON.parse(nested).mcp).toEqual({ servers: { "debug-bridge": entry } });
    expect(client("opencode").remove(nested)).not.toContain("debug-bridge");
  });

  it.each(["{", "[]", "1", '{"context_servers": []}', '{"a": 1,, }', "nothing"])(
    "that cannot be read are refused: %s",
    (text) => {
      expect(() => zed.add(text, PROGRAM)).toThrow(/not valid settings/);
      expect(() => zed.remove(text)).toThrow(/not valid settings/);
    },
  );

  it("with our place twice are refused", () => {
    const twice = '{"context_servers": {"a": {}}, "context_servers": {"b": {}}}';
    expect(() => zed.add(twice, PROGRAM)).toThrow(/twice/);
  });
});

describe("settings in TOML", () => {
  const codex = client("codex");
  const SETTINGS =
    '# mine\nmodel = "m" # why\n\n[mcp_servers.other]\ncommand = "x"\n\n# trusted\n[projects."/a"]\ntrust_level = "trusted"\n';

  it("keep comments and order", () => {
    const after = codex.add(SETTINGS, PROGRAM);
    expect(after.startsWith(SETTINGS)).toBe(true);
    expect(codex.add(after, PROGRAM)).toBe(after);
    expect(codex.remove(after).trimEnd()).toBe(SETTINGS.trimEnd());
    expect(codex.add("", PROGRAM)).toMatch(/^\[mcp_servers\.debug-bridge\]\ncommand = "\/usr\/bin\/node"\n/);
  });

  it("keep what others added to our entry, and the comments of the next table", () => {
    const before = `[mcp_servers."debug-bridge"]\ncommand = "npx"\nargs = ["old"]\nstartup_timeout_sec = 20\n[mcp_servers.debug-bridge.env]\nA = "1"\n\n# of others\n[tui]\nx = 1\n`;
    const after = codex.add(before, PROGRAM);
    expect(after).toContain("\n# of others\n[tui]\nx = 1\n");
    expect(after).toContain("startup_timeout_sec = 20");
    expect(after).toContain('A = "1"');
    expect(after).not.toContain("npx");
    expect(codex.remove(after).trim()).toBe("# of others\n[tui]\nx = 1");
  });

  it.each(["a = ", "[x", "mcp_servers = 1\n[mcp_servers.x]\na=1"])(
    "that cannot be read are refused: %s",
    (text) => {
      expect(() => codex.add(text, PROGRAM)).toThrow(/not valid settings/);
    },
  );

  it("in a form that cannot be edited are refused", () => {
    const inline = 'mcp_servers = { debug-bridge = { command = "x" } }\n';
    expect(() => codex.add(inline, PROGRAM)).toThrow(/by hand/);
    expect(() => codex.remove(inline)).toThrow(/by hand/);
  });
});

it("every client has its file where the system keeps such files", () => {
  const files = (platform: NodeJS.Platform, env?: NodeJS.ProcessEnv): string[] =>
    Object.values(CLIENTS).map(({ file }) => file(machine(platform, env)));
  expect(files("linux")).toEqual([
    "/me/.claude.json",
    "/me/.codex/config.toml",
    "/me/.cursor/mcp.json",
    "/me/.config/Code/User/mcp.json",
    "/me/.gemini/settings.json",
    "/me/.config/opencode/opencode.json",
    "/me/.config/zed/settings.json",
  ]);
  const moved = { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", GEMINI_CLI_HOME: "/g", XDG_CONFIG_HOME: "/cfg" };
  expect(files("linux", moved)).toEqual([
    "/c/.claude.json",
    "/x/config.toml",
    "/me/.cursor/mcp.json",
    "/cfg/Code/User/mcp.json",
    "/g/.gemini/settings.json",
    "/cfg/opencode/opencode.json",
    "/cfg/zed/settings.json",
  ]);
  expect(client("vscode").file(machine("darwin"))).toBe("/me/Library/Application Support/Code/User/mcp.json");
});

it("a program in the cache of npx is started through npx, any other by its path", () => {
  const cached = [
    "/usr/bin/node",
    "/me/.npm/_npx/ab12/node_modules/debug-bridge/bin/debug-bridge.js",
  ] as const;
  expect(serverProgram([], [...cached], "linux")).toEqual({
    command: "npx",
    args: ["-y", "debug-bridge", "mcp"],
  });
  expect(serverProgram([], [...cached], "win32").command).toBe("cmd");
  expect(serverProgram(["--home", "/h"], ["/usr/bin/node", "/clone/bin.js"], "linux")).toEqual({
    command: "/usr/bin/node",
    args: ["/clone/bin.js", "mcp", "--home", "/h"],
  });
});
