import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, readSession } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { ROOT, start, temporaryFolder } from "../../fixtures.js";
import { cli } from "../../support/agents/agents.js";
import { bash, startClaude, toldModel } from "./claude.js";

const DONE = { text: "The shop is fixed." };

describe("the real Claude Code", () => {
  it("stops at a command that fails, and its exit code, error and model are known", async () => {
    const home = temporaryFolder();
    const claude = await startClaude(home, [bash("echo out; exit 3"), bash("echo fine"), DONE]);
    await claude.give("breakpoint", "add", "error");
    claude.begin();
    const hit = await claude.seen("breakpoint_hit");
    expect(hit.data).toMatchObject({
      name: "Bash",
      context: "tool",
      message: expect.stringContaining("out"),
    });
    expect(claude.events().filter(({ type }) => type === "tool_call_end")).toMatchObject([
      { data: { name: "Bash", isError: true, exitCode: 3 } },
    ]);
    const state = JSON.parse((await claude.give("inspect", "--json")).stdout).data;
    const { model } = claude.server.requests[0]?.body ?? {};
    // The stand-in answers as the model "m", whatever it was asked for.
    expect([state.provider, typeof model]).toEqual([{ name: "claude-code", model: "m" }, "string"]);
    await claude.give("inject", "user", "Try the other shop.");
    await claude.give("resume");
    expect((await claude.finished).code).toBe(0);
    expect(toldModel(claude, 1)).toContain("Try the other shop.");
    await cli(home, "sessions");
    expect(claude.events().filter(({ type }) => type === "tool_call_end")[1]?.data).toMatchObject({
      isError: false,
    });
    expect(readSession(join(debugPaths(home).sessions, claude.id))).toMatchObject({
      agent: "claude-code",
      model: "m",
      endTime: expect.any(String),
    });
  });

  it("is held by a breakpoint that was added before it started", async () => {
    const home = temporaryFolder();
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const claude = await startClaude(home, [bash("echo one > one.txt"), DONE]);
    claude.begin();
    await claude.seen("paused");
    expect(existsSync(join(claude.cwd, "one.txt"))).toBe(false);
    await claude.give("resume");
    expect((await claude.finished).code).toBe(0);
    expect(readFileSync(join(claude.cwd, "one.txt"), "utf8")).toBe("one\n");
  });

  it.each([
    ["touch right.txt", true],
    ["touch other.txt", false],
  ])("runs a call that was changed to %s only by its own rules: %s", async (changed, runs) => {
    const claude = await startClaude(temporaryFolder(), [bash("touch wrong.txt"), DONE], {
      allowAll: false,
      args: ["--allowedTools", "Bash(touch right.txt)", "--"],
    });
    await claude.give("breakpoint", "add", "tool", "Bash");
    claude.begin();
    await claude.seen("paused");
    await claude.give("set", "input.command", changed);
    const { stdout } = await claude.give("inspect");
    expect(stdout).toMatch(new RegExp(`held +Bash \\S+ .*${changed}.*edited`));
    await claude.give("resume");
    expect((await claude.finished).code).toBe(0);
    expect(readdirSync(claude.cwd)).toEqual(runs ? ["right.txt"] : []);
  });

  it("names the subagent of a call, in its events and while the call is held", async () => {
    const turns = { main: 0, sub: 0 };
    const claude = await startClaude(temporaryFolder(), (request) => {
      if (!request.includes("fix the shop"))
        return turns.sub++ === 0 ? bash("echo below") : { text: "below" };
      const input = { description: "look", prompt: "look around", subagent_type: "general-purpose" };
      return turns.main++ === 0 ? { tool: "Agent", input } : DONE;
    });
    await claude.give("breakpoint", "add", "tool", "Bash", "--condition", 'subagent == "general-purpose"');
    claude.begin();
    const hit = await claude.seen("breakpoint_hit");
    expect(hit.data.toolCall).toMatchObject({ name: "Bash", subagent: "general-purpose" });
    const { subagentId } = hit.data.toolCall;
    expect((await claude.seen("subagent_start")).data).toEqual({ subagent: "general-purpose", subagentId });
    // The breakpoint is hit before the call is held.
    await claude.seen("paused");
    const { stdout } = await claude.give("inspect");
    expect(stdout).toMatch(/held +.*general-purpose: Bash/);
    await claude.give("resume");
    expect((await claude.finished).code).toBe(0);
    expect((await claude.seen("tool_call_start", 2)).data).toMatchObject({ name: "Bash", subagentId });
    expect((await claude.seen("subagent_end")).data).toMatchObject({ subagentId, content: "below" });
  });

  it("leaves no session behind when it only lists its servers", async () => {
    const home = temporaryFolder();
    const config = temporaryFolder();
    const file = join(config, "settings.json");
    await cli(home, "hook", "install", "claude-code", "--file", file);
    const env = { CLAUDE_CONFIG_DIR: config, DEBUG_BRIDGE_HOME: home, ANTHROPIC_API_KEY: "none" };
    const listed = start(join(ROOT, "node_modules/.bin/claude"), ["mcp", "list"], env, config);
    expect((await listed.finished).code).toBe(0);
    expect(readdirSync(join(home, "debug"))).toEqual(["hooks"]);
    expect(JSON.parse((await cli(home, "sessions", "--all", "--json")).stdout).sessions).toEqual([]);
  });
});
