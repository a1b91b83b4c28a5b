import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@debug-bridge/journal";
import { agentEventSchema, check } from "@debug-bridge/protocol/schemas";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, start, temporaryFolder, until } from "../../fixtures.js";
import { type AgentEvent, cli } from "../../support/agents/agents.js";
import {
  claude,
  codex,
  events,
  folderOf,
  hook,
  post,
  pre,
  RELEASED,
  SILENT,
  seen,
  startHook,
} from "../../support/agents/hooks.js";

describe("debug-bridge hook", () => {
  it.each([
    ["Claude Code", claude],
    ["Codex", codex],
  ])("records a run of %s in one session, and prints nothing [ARC-100]", async (_agent, base) => {
    const home = temporaryFolder();
    for (const event of [
      { hook_event_name: "UserPromptSubmit", prompt: "fix the shop" },
      pre("ls", "toolu_1"),
      post("toolu_1"),
      pre("false", "toolu_2"),
      post("toolu_2", { is_error: true }),
      { hook_event_name: "SomethingNew" },
      { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." },
      { hook_event_name: "SessionEnd", reason: "exit" },
    ]) {
      expect(await hook(home, event, { base })).toMatchObject(SILENT);
    }
    const all = events(home);
    for (const event of all) expect(check(agentEventSchema, event)).toMatchObject({ ok: true });
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
    expect(all.map(({ type }) => type)).toEqual([
      "session_start",
      "user_input",
      "tool_call_start",
      "tool_call_end",
      "tool_result",
      "tool_call_start",
      "tool_call_end",
      "tool_result",
      "assistant_message",
      "session_end",
    ]);
    expect(all[3]?.data).toMatchObject({ name: "Bash", toolId: "toolu_1", isError: false, durationMs: 12 });
    expect(all[6]?.data).toMatchObject({ toolId: "toolu_2", isError: true });
    expect(JSON.parse((await cli(home, "sessions", "--json")).stdout).sessions).toEqual([]);
  });

  it("holds the agent at a breakpoint and changes the input of its tool [ARC-100, AGT-056]", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    expect(await cli(home, "agent", "breakpoint", "add", "tool", "Bash")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("next tool call"),
    });
    const held = startHook(home, pre("rm -rf /", "toolu_1"));
    await seen(home, "paused");
    expect((await seen(home, "breakpoint_hit")).data.toolCall).toMatchObject({
      name: "Bash",
      toolId: "toolu_1",
    });
    const before = events(home).length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([events(home).length, held.child.exitCode]).toEqual([before, null]);
    expect(
      JSON.parse((await cli(home, "agent", "set", "input.command", "ls", "--json")).stdout),
    ).toMatchObject({
      success: true,
      data: { toolId: "toolu_1", input: { command: "ls" } },
    });
    expect(JSON.parse((await cli(home, "agent", "inspect", "--json")).stdout)).toMatchObject({
      data: { paused: true },
    });
    await cli(home, "agent", "resume");
    const { code, stdout } = await held.finished;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { command: "ls" },
      },
      systemMessage: expect.stringMatching(/^Debug Bridge held Bash for .* s: breakpoint bp-1$/),
    });
    expect(events(home).at(-1)).toMatchObject({
      type: "tool_call_start",
      data: { input: { command: "ls" } },
    });
  });

  it("refuses a call that is cancelled, and leaves permission to the agent otherwise [AGT-020]", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "pause");
    const cancelled = startHook(home, pre("make deploy", "toolu_1"));
    await seen(home, "paused");
    await cli(home, "agent", "cancel", "toolu_1");
    expect(JSON.parse((await cancelled.finished).stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Bash was cancelled by the debugger",
      },
      systemMessage: expect.stringContaining("Debug Bridge held Bash"),
    });
    const next = startHook(home, pre("ls", "toolu_2"));
    await until(() => readFileSync(join(folderOf(home), "hook.json"), "utf8").includes("toolu_2"));
    await cli(home, "agent", "resume");
    expect(await next.finished).toMatchObject(RELEASED);
    expect(events(home).filter(({ type }) => type === "paused")).toHaveLength(1);
  });

  it("steps from tool to tool [AGT-016]", async () => {
    const home = temporaryFolder();
    await hook(home, pre("one", "t1"));
    await cli(home, "agent", "pause");
    for (const [n, id] of [
      [1, "t2"],
      [2, "t3"],
    ] as const) {
      const held = startHook(home, pre("next", id));
      await seen(home, "paused", n);
      await cli(home, "agent", "step");
      expect(await held.finished).toMatchObject(RELEASED);
    }
    expect((await seen(home, "step_complete")).data.iteration).toBe(2);
  });

  it("gives the agent a message once: after a tool, or when it would stop, and never in a loop [AGT-018]", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "inject", "user", "Look at the coupon first.");
    expect(JSON.parse((await hook(home, post("t1"))).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Look at the coupon first." },
    });
    expect(await hook(home, post("t2"))).toMatchObject(SILENT);
    await cli(home, "agent", "inject", "user", "And run the tests.");
    const stop = { hook_event_name: "Stop", last_assistant_message: "Done." };
    expect(await hook(home, { ...stop, stop_hook_active: true })).toMatchObject(SILENT);
    expect(JSON.parse((await hook(home, { ...stop, stop_hook_active: false })).stdout)).toEqual({
      decision: "block",
      reason: "And run the tests.",
    });
  });

  it("resumes before the agent's own timeout, and reports it", async () => {
    const home = temporaryFolder();
    await hook(home, pre("one", "t1"));
    await cli(home, "agent", "pause");
    const started = Date.now();
    expect(await hook(home, pre("two", "t2"), { timeout: 2 })).toMatchObject(RELEASED);
    expect(Date.now() - started).toBeGreaterThan(900);
    expect(
      events(home)
        .map(({ type }) => type)
        .slice(-3),
    ).toEqual(["resumed", "error", "tool_call_start"]);
    expect((await seen(home, "resumed")).data.reason).toBe("hook_timeout");
    expect((await seen(home, "error")).data).toMatchObject({ context: "hook" });
  });

  it("refuses the call instead with --on-timeout deny, and neither waits again until somebody answers", async () => {
    const home = temporaryFolder();
    await hook(home, pre("one", "t1"));
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const decisions = [];
    for (const [id, onTimeout] of [
      ["t2", "deny"],
      ["t3", "deny"],
      ["t4", "allow"],
    ] as const) {
      // Only the first has a short timeout: the others would wait for minutes.
      const timeout = id === "t2" ? 2 : 600;
      const { stdout } = await hook(home, pre("rm", id), { timeout, onTimeout });
      decisions.push(JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? "none");
    }
    expect(decisions).toEqual(["deny", "deny", "none"]);
    expect(events(home).filter(({ type }) => type === "error")).toHaveLength(1);
    await cli(home, "agent", "inspect");
    const held = startHook(home, pre("rm", "t5"));
    await seen(home, "paused", 4);
    await cli(home, "agent", "resume");
    expect(await held.finished).toMatchObject(RELEASED);
  });

  it.each([
    ["died", "SIGKILL", "debugger_gone"],
    ["left", "SIGTERM", "resume"],
  ] as const)("notices at once that the debugger %s", async (_how, signal, reason) => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const attached = spawn(process.execPath, [CLI, "agent", "attach", "--plain"], {
      env: { ...process.env, DEBUG_BRIDGE_HOME: home },
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void attached.kill("SIGKILL"));
    let output = "";
    attached.stdout.on("data", (data) => {
      output += data;
    });
    await until(() => output.includes("attached to"));
    const held = startHook(home, pre("rm", "t1"));
    await until(() => output.includes("Agent paused"));
    if (signal === "SIGKILL") attached.kill(signal);
    else {
      attached.stdin.end("quit\n");
      await until(() => attached.exitCode !== null);
      await cli(home, "agent", "resume");
    }
    expect(await held.finished).toMatchObject(RELEASED);
    expect((await seen(home, "resumed")).data.reason).toBe(reason);
    expect(events(home).filter(({ type }) => type === "error")).toHaveLength(signal === "SIGKILL" ? 1 : 0);
  });

  it("releases one of two held calls with one resume, and the next with another", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const calls = ["t1", "t2"].map((id) => startHook(home, pre("ls", id)));
    const inspect = async (): Promise<{ toolId: string }[]> =>
      JSON.parse((await cli(home, "agent", "inspect", "tools", "--json")).stdout).data.held ?? [];
    await until(async () => (await inspect()).length === 2);
    for (const left of [1, 0]) {
      await cli(home, "agent", "resume");
      await until(() => calls.filter(({ child }) => child.exitCode === null).length === left);
    }
    expect(events(home).filter(({ type }) => type === "paused")).toHaveLength(2);
  });

  it("needs one resume for a call that follows one that was ended", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const ended = startHook(home, pre("first", "t1"));
    await seen(home, "paused");
    ended.child.kill("SIGKILL");
    await ended.finished;
    const next = startHook(home, pre("second", "t2"));
    await until(async () => (await cli(home, "agent", "inspect")).stdout.includes("t2"));
    await cli(home, "agent", "resume");
    expect(await next.finished).toMatchObject(RELEASED);
  });

  it("ends with an agent that is killed, and the call that it held never starts", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const input = join(home, "held.json");
    writeFileSync(input, JSON.stringify({ ...claude, ...pre("rm", "t1") }));
    const command = `exec "${process.execPath}" "${CLI}" hook --timeout 600 --for claude-code < "${input}"`;
    // An agent with the hook as its child process.
    const agent = start(
      process.execPath,
      ["-e", `require("node:child_process").execSync(${JSON.stringify(command)})`],
      {
        DEBUG_BRIDGE_HOME: home,
      },
    );
    await seen(home, "paused");
    agent.child.kill("SIGKILL");
    await seen(home, "resumed");
    expect((await seen(home, "resumed")).data.reason).toBe("agent_gone");
    expect(events(home).filter(({ type }) => type === "tool_call_start")).toEqual([]);
    const target = () => JSON.parse(readFileSync(join(folderOf(home), "hook.json"), "utf8")).target;
    await until(() => target().held.length === 0);
    await until(() => !isAlive({ pid: target().pause.pid }));
  });

  it("forgets a call whose hook the agent ended: what is set is for the one that is held now", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash");
    const ended = startHook(home, pre("first", "toolu_1"));
    await seen(home, "paused");
    ended.child.kill("SIGKILL");
    await ended.finished;
    const held = startHook(home, pre("second", "toolu_2"));
    const inspect = async (): Promise<AgentEvent["data"]> =>
      JSON.parse((await cli(home, "agent", "inspect", "tools", "--json")).stdout).data;
    await until(async () => (await inspect())?.held?.[0]?.toolId === "toolu_2");
    await cli(home, "agent", "set", "input.command", "third");
    await cli(home, "agent", "breakpoint", "clear-all");
    await cli(home, "agent", "resume");
    expect(JSON.parse((await held.finished).stdout)).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "third" } },
    });
  });

  it("continues the numbering when a hook was ended between its event and its state", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    const { sequence, ...last } = events(home).at(-1) as AgentEvent;
    const written = JSON.stringify({ ...last, sequence: sequence + 1 });
    appendFileSync(join(folderOf(home), "events.jsonl"), `${written}\n{"type":"torn`);
    await hook(home, pre("ls", "toolu_1"));
    const lines = readFileSync(join(folderOf(home), "events.jsonl"), "utf8")
      .trim()
      .split("\n");
    const numbers = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line).sequence);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    expect(numbers.length).toBe(sequence + 2);
  });

  it("keeps a breakpoint's deadline when the hook that stopped there is gone", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "tool", "Bash", "--once", "--deadline", "5s");
    const ended = startHook(home, pre("first", "toolu_1"));
    await seen(home, "paused");
    ended.child.kill("SIGKILL");
    await ended.finished;
    expect(await hook(home, pre("second", "toolu_2"))).toMatchObject(RELEASED);
    expect((await seen(home, "resumed")).data).toMatchObject({ reason: "deadline" });
  });

  it("refuses to set an input while no call is held", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "set", "input.command", "ls");
    expect(await hook(home, pre("rm -rf /", "toolu_1"))).toMatchObject(SILENT);
    expect((await seen(home, "command_response")).data).toMatchObject({
      success: false,
      error: expect.stringContaining("no tool call is held"),
    });
  });

  it("numbers the events of concurrent hooks, and pauses at one at a time", async () => {
    const home = temporaryFolder();
    await hook(home, { hook_event_name: "UserPromptSubmit", prompt: "go" });
    await cli(home, "agent", "breakpoint", "add", "pattern", "stop here");
    const all = Array.from({ length: 6 }, (_, i) =>
      startHook(home, pre(i < 2 ? "stop here" : "pass", `t${i}`)),
    );
    for (const n of [1, 2]) {
      await seen(home, "paused", n);
      expect(events(home).filter(({ type }) => type === "paused")).toHaveLength(n);
      await cli(home, "agent", "resume");
    }
    for (const { finished } of all) expect([0, ""]).toEqual([(await finished).code, (await finished).stderr]);
    expect(events(home).map(({ sequence }) => sequence)).toEqual(events(home).map((_, i) => i + 1));
    expect(events(home).filter(({ type }) => type === "tool_call_start")).toHaveLength(6);
  });

  it("never blocks the agent: bad input and a home that cannot be written end with 0", async () => {
    const home = temporaryFolder();
    for (const text of ["", "{", "null", "[]", '{"session_id":1,"hook_event_name":"Stop"}'])
      expect(await hook(home, text)).toMatchObject(SILENT);
    writeFileSync(join(home, "debug"), "in the way");
    const { code, stdout, stderr } = await hook(home, pre("ls", "t"));
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("this hook did nothing");
  });
});
