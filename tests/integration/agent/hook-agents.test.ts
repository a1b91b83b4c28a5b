import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, start, temporaryFolder } from "../../fixtures.js";
import { cli } from "../../support/agents/agents.js";
import { claude, events, hook, pre, SILENT, seen, startHook } from "../../support/agents/hooks.js";

describe("debug-bridge hook for Gemini CLI", () => {
  const base = {
    session_id: "g1",
    transcript_path: "/t.json",
    cwd: "/home/ada/shop",
    timestamp: "2026-01-01T00:00:00Z",
  };
  const before = {
    hook_event_name: "BeforeTool",
    tool_name: "run_shell_command",
    tool_input: { command: "rm" },
  };
  const gemini = { base, agent: "gemini" };

  it("records its events under the names of all agents, and knows a tool that failed", async () => {
    const home = temporaryFolder();
    for (const event of [
      { hook_event_name: "SessionStart", source: "startup" },
      { hook_event_name: "BeforeAgent", prompt: "fix the shop" },
      before,
      {
        ...before,
        hook_event_name: "AfterTool",
        tool_response: { llmContent: "no", error: { message: "no" } },
      },
      {
        hook_event_name: "AfterAgent",
        prompt: "fix the shop",
        prompt_response: "Done.",
        stop_hook_active: false,
      },
      { hook_event_name: "SessionEnd", reason: "exit" },
    ])
      expect(await hook(home, event, gemini)).toMatchObject(SILENT);
    expect(events(home).map(({ type }) => type)).toEqual([
      "session_start",
      "user_input",
      "tool_call_start",
      "tool_call_end",
      "tool_result",
      "assistant_message",
      "session_end",
    ]);
    expect(events(home)[3]?.data).toMatchObject({ toolId: "call-1", isError: true });
  });

  it("changes, refuses and explains in its own words", async () => {
    const home = temporaryFolder();
    await cli(home, "agent", "breakpoint", "add", "tool", "run_shell_command");
    const changed = startHook(home, before, gemini);
    await seen(home, "paused");
    await cli(home, "agent", "set", "input.command", "ls");
    await cli(home, "agent", "resume");
    expect(JSON.parse((await changed.finished).stdout)).toEqual({
      hookSpecificOutput: { tool_input: { command: "ls" } },
      systemMessage: expect.stringContaining("breakpoint bp-1"),
    });
    const refused = startHook(home, before, gemini);
    await seen(home, "paused", 2);
    await cli(home, "agent", "cancel", "call-2");
    expect(JSON.parse((await refused.finished).stdout)).toMatchObject({
      decision: "deny",
      reason: "run_shell_command was cancelled by the debugger",
    });
    await cli(home, "agent", "resume");
    await cli(home, "agent", "breakpoint", "clear-all");
    await cli(home, "agent", "inject", "user", "And the taxes?");
    const after = { hook_event_name: "AfterAgent", prompt_response: "Done.", stop_hook_active: false };
    expect(JSON.parse((await hook(home, after, gemini)).stdout)).toEqual({
      decision: "deny",
      reason: "And the taxes?",
    });
  });
});

describe("debug-bridge hook status", () => {
  it("says what is installed, what is missing, and when a hook ran last", async () => {
    const home = temporaryFolder();
    const file = join(home, "settings.json");
    const status = async (): Promise<string> =>
      (await cli(home, "hook", "status", "claude-code", "--file", file)).stdout;
    expect(await status()).toContain("not installed");
    await cli(home, "hook", "install", "claude-code", "--file", file);
    expect(await status()).toMatch(/^installed in .*\nno hook has run yet/);
    await hook(home, pre("ls", "t1"));
    expect(await status()).toMatch(/last used by debug_\S+ at 20/);
    const settings = JSON.parse(readFileSync(file, "utf8"));
    delete settings.hooks.PostToolUseFailure;
    writeFileSync(file, JSON.stringify(settings).replaceAll("hook.sh", "gone.sh"));
    expect(await status()).toMatch(
      /without PostToolUseFailure; run: debug-bridge hook install[\s\S]*gone\.sh does not exist/,
    );
  });

  it("says it of all agents when none is named", async () => {
    const home = temporaryFolder();
    const { code, stdout } = await runCli(["hook", "status"], { HOME: home, DEBUG_BRIDGE_HOME: home });
    expect([code, stdout.match(/^(?:claude-code|codex|gemini): not installed in /gm)?.length]).toEqual([
      0, 3,
    ]);
    await hook(home, pre("ls", "t1"));
    const elsewhere = temporaryFolder();
    const file = join(home, "settings.json");
    await cli(home, "hook", "install", "claude-code", "--file", file);
    const { stdout: used } = await runCli(["hook", "status", "claude-code", "--file", file, "--home", home], {
      HOME: elsewhere,
      DEBUG_BRIDGE_HOME: elsewhere,
    });
    expect(used).toMatch(/last used by debug_\S+ at 20/);
    expect(await cli(home, "hook", "status", "--file", "x.json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("name the agent"),
    });
  });
});

describe("debug-bridge hook install", () => {
  it("writes a command that works, keeps what else is there, and can be undone [ARC-100]", async () => {
    const home = temporaryFolder();
    const file = join(home, "settings.json");
    const theirs = `${JSON.stringify({ model: "opus", hooks: { Stop: [{ hooks: [{ type: "command", command: "beep" }] }] } }, null, 2)}\n`;
    writeFileSync(file, theirs);
    const dry = await cli(home, "hook", "install", "claude-code", "--file", file, "--dry-run");
    expect([dry.code, readFileSync(file, "utf8")]).toEqual([0, theirs]);
    const installed = await cli(home, "hook", "install", "claude-code", "--file", file);
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining(`wrote ${file}`) });
    const { hooks, model } = JSON.parse(readFileSync(file, "utf8"));
    expect(model).toBe("opus");
    expect(hooks.Stop).toHaveLength(2);
    const { command, timeout } = hooks.PreToolUse[0].hooks[0];
    expect(timeout).toBe(600);
    const input = join(home, "input.json");
    writeFileSync(input, JSON.stringify({ ...claude, ...pre("ls", "t1") }));
    const ran = await start("sh", ["-c", `${command} < "${input}"`], { DEBUG_BRIDGE_HOME: home }, "/")
      .finished;
    expect(ran).toMatchObject(SILENT);
    expect(events(home).at(-1)).toMatchObject({ type: "tool_call_start" });
    await cli(home, "hook", "uninstall", "claude-code", "--file", file);
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });

  it("refuses agents it does not know, and files it does not understand [ARC-103]", async () => {
    const home = temporaryFolder();
    expect((await cli(home, "hook", "install", "emacs")).code).toBe(2);
    const file = join(home, "settings.json");
    writeFileSync(file, "{");
    const { code, stderr } = await cli(home, "hook", "install", "codex", "--file", file);
    expect([code, readFileSync(file, "utf8")]).toEqual([1, "{"]);
    expect(stderr).toContain("was not changed");
  });
});

describe("debug-bridge hook for Cursor", () => {
  const base = {
    conversation_id: "cur1",
    generation_id: "g",
    workspace_roots: ["/home/ada/shop"],
    model: "gpt-6",
  };
  const call = {
    tool_name: "Shell",
    tool_input: { command: "rm" },
    tool_use_id: "t1",
    cwd: "/home/ada/shop",
  };
  const before = { ...call, hook_event_name: "preToolUse" };
  const cursor = { base, agent: "cursor" };

  it("records its events under the names of all agents, and knows a tool that failed", async () => {
    const home = temporaryFolder();
    for (const event of [
      { hook_event_name: "sessionStart", session_id: "cur1" },
      { hook_event_name: "beforeSubmitPrompt", prompt: "fix the shop" },
      before,
      { ...call, hook_event_name: "postToolUse", tool_output: '{"output":"ok"}', duration: 12 },
      { ...before, tool_use_id: "t2" },
      { ...call, tool_use_id: "t2", hook_event_name: "postToolUseFailure", error_message: "no", duration: 3 },
      { hook_event_name: "stop", status: "completed", loop_count: 0 },
      { hook_event_name: "sessionEnd", session_id: "cur1", reason: "completed" },
    ])
      expect(await hook(home, event, cursor)).toMatchObject(SILENT);
    const ends = events(home).filter(({ type }) => type === "tool_call_end");
    expect(ends.map(({ data }) => data.isError)).toEqual([false, true]);
    expect(events(home)[0]?.data).toMatchObject({ model: "gpt-6" });
    expect(events(home).at(-1)?.type).toBe("session_end");
  });

  it("changes, refuses and explains in its own words", async () => {
    const home = temporaryFolder();
    await cli(home, "agent", "breakpoint", "add", "tool", "Shell");
    const changed = startHook(home, before, cursor);
    await seen(home, "paused");
    await cli(home, "agent", "set", "input.command", "ls");
    await cli(home, "agent", "resume");
    expect(JSON.parse((await changed.finished).stdout)).toEqual({
      permission: "allow",
      updated_input: { command: "ls" },
      user_message: expect.stringContaining("breakpoint bp-1"),
    });
    const refused = startHook(home, { ...before, tool_use_id: "t2" }, cursor);
    await seen(home, "paused", 2);
    await cli(home, "agent", "cancel", "t2");
    expect(JSON.parse((await refused.finished).stdout)).toMatchObject({
      permission: "deny",
      agent_message: "Shell was cancelled by the debugger",
    });
    await cli(home, "agent", "resume");
    await cli(home, "agent", "breakpoint", "clear-all");
    await cli(home, "agent", "inject", "user", "And the taxes?");
    const stop = { hook_event_name: "stop", status: "completed", loop_count: 0 };
    expect(JSON.parse((await hook(home, stop, cursor)).stdout)).toEqual({
      followup_message: "And the taxes?",
    });
  });
});
