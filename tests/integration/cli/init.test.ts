import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, type Finished, ROOT, start, temporaryFolder } from "../../fixtures.js";

const BIN = join(ROOT, "node_modules/.bin");

/** A person with a separate home, in which all clients keep their settings. */
function person(cwd = temporaryFolder()) {
  const home = temporaryFolder();
  const env = {
    ...{ HOME: home, DEBUG_BRIDGE_HOME: join(home, "state"), DEBUG_BRIDGE_HUB: "" },
    ...{ CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", GEMINI_CLI_HOME: "", XDG_CONFIG_HOME: "" },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  };
  const clean = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  return {
    home,
    cwd,
    init: (...args: string[]): Promise<Finished> =>
      start(process.execPath, [CLI, "init", ...args], env, cwd).finished,
    run: (program: string, ...args: string[]): Promise<Finished> =>
      start(join(BIN, program), args, clean, cwd).finished,
    read: (path: string): string => readFileSync(join(home, path), "utf8"),
    write(path: string, text: string): void {
      mkdirSync(join(home, path, ".."), { recursive: true });
      writeFileSync(join(home, path), text);
    },
  };
}

describe("debug-bridge init", () => {
  it("adds a server that Claude Code, Codex and Gemini CLI start themselves", async () => {
    const user = person();
    const { code, stdout } = await user.init(
      ...["--client", "claude-code", "codex", "gemini", "--no-app", "--yes"],
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/it lists 1\d tools/)]);
    const codex = await user.run("codex", "mcp", "get", "debug-bridge", "--json");
    expect(JSON.parse(codex.stdout)).toMatchObject({
      enabled: true,
      transport: { type: "stdio", command: process.execPath, args: [CLI, "mcp"] },
    });
    const claude = await user.run("claude", "mcp", "get", "debug-bridge");
    expect(claude.stdout).toMatch(/Connected/);
    const gemini = await user.run("gemini", "mcp", "list");
    expect(`${gemini.stdout}${gemini.stderr}`).toContain(`debug-bridge: ${process.execPath} ${CLI} mcp`);
  });

  it("writes nothing without a terminal and without --yes, and is done after the first time", async () => {
    const user = person();
    user.write(".codex/config.toml", "# mine\n");
    const shown = await user.init("--no-app");
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("+ [mcp_servers.debug-bridge]") });
    expect(shown.stdout).toContain("Nothing was written");
    expect(user.read(".codex/config.toml")).toBe("# mine\n");
    await user.init("--no-app", "--yes");
    const written = user.read(".codex/config.toml");
    expect(written).toContain(CLI);
    expect((await user.init("--no-app", "--yes")).stdout).toContain("already set up");
    expect(user.read(".codex/config.toml")).toBe(written);
    const { stdout } = await user.init("--no-app", "--remove", "--yes", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ written: true, files: [{ what: "Codex", changed: true }] });
    expect(user.read(".codex/config.toml").trim()).toBe("# mine");
  });

  it("leaves settings that it cannot read as they are, and sets up the others", async () => {
    const user = person();
    user.write(".cursor/mcp.json", '{"mcpServers": {');
    user.write("dotfiles/zed.json", "{\n  // mine\n}\n");
    mkdirSync(join(user.home, ".config/zed"), { recursive: true });
    symlinkSync(join(user.home, "dotfiles/zed.json"), join(user.home, ".config/zed/settings.json"));
    const { code, stdout } = await user.init("--no-app", "--yes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/Cursor .*mcp\.json was not changed: not valid settings \(line 1/);
    expect(user.read(".cursor/mcp.json")).toBe('{"mcpServers": {');
    expect(user.read("dotfiles/zed.json")).toMatch(/context_servers[\s\S]*\/\/ mine/);
    expect(lstatSync(join(user.home, ".config/zed/settings.json")).isSymbolicLink()).toBe(true);
  });

  it("adds the plugin to a Vite app, and puts back a configuration in which Vite does not find it", async () => {
    const app = mkdtempSync(join(ROOT, "tests/.init-"));
    onTestFinished(() => rmSync(app, { recursive: true }));
    writeFileSync(join(app, "package.json"), '{"type": "module"}');
    const config = join(app, "vite.config.js");
    writeFileSync(config, "export default { server: {} };\n");
    const user = person(app);
    expect(await user.init("--client", "cursor", "--yes")).toMatchObject({ code: 0 });
    expect(readFileSync(config, "utf8")).toContain("plugins: [debugBridge()]");
    expect((await user.init("--client", "cursor", "--remove", "--yes")).code).toBe(0);
    expect(readFileSync(config, "utf8")).toBe("export default { server: {} };\n");
    // The list of something else.
    const other = "export default { css: { postcss: { plugins: [] } } };\n";
    writeFileSync(config, other);
    const failed = await user.init("--client", "cursor", "--yes");
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("by hand") });
    expect(readFileSync(config, "utf8")).toBe(other);
  });

  it("writes a configuration for an app that Vite serves without one, and removes it", async () => {
    const app = mkdtempSync(join(ROOT, "tests/.init-"));
    onTestFinished(() => rmSync(app, { recursive: true }));
    writeFileSync(join(app, "package.json"), '{"type": "module", "devDependencies": {"vite": "*"}}');
    writeFileSync(join(app, "tsconfig.json"), "{}");
    writeFileSync(join(app, "index.html"), "<!doctype html><head></head>");
    const user = person(app);
    expect(await user.init("--client", "cursor", "--yes")).toMatchObject({ code: 0 });
    const config = join(app, "vite.config.ts");
    expect(readFileSync(config, "utf8")).toContain("plugins: [debugBridge()]");
    expect((await user.init("--client", "cursor", "--remove", "--yes")).code).toBe(0);
    expect(existsSync(config)).toBe(false);
  });

  it("adds the script tag to a page where the plugin is not installed", async () => {
    const user = person();
    const page = join(user.cwd, "index.html");
    writeFileSync(page, "<!doctype html><head><title>x</title></head>");
    await user.init("--client", "cursor", "--hub", "http://127.0.0.1:4567", "--yes");
    expect(readFileSync(page, "utf8")).toContain(
      '<head><script src="http://127.0.0.1:4567/sdk.js" data-session=',
    );
    expect(user.read(".cursor/mcp.json")).toContain("http://127.0.0.1:4567");
    expect(existsSync(join(user.home, ".codex"))).toBe(false);
  });
});
