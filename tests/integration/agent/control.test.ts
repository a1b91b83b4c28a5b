import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { debugPaths, readLines } from "@debug-bridge/journal";
import { agentCommandSchema, agentEventSchema, check } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { busyTurns, cli, type RunningAgent, startAgent } from "../../support/agents/agents.js";

const write = { tool: "write_file", input: { path: "a.txt", content: "one" } };

/** Appends a command by hand, as any program can. */
function command(agent: RunningAgent, line: object | string): void {
  const text = typeof line === "string" ? line : `${JSON.stringify(line)}\n`;
  appendFileSync(join(agent.folder, "commands.jsonl"), text);
}

describe("an agent in another process", () => {
  it("is paused by a line written into current/commands.jsonl, and continues when resumed [AGT-014, AGT-015, AGT-021, AGT-027, AGT-069]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(500));
    await agent.seen("api_request", 3);
    const current = join(debugPaths(home).current, "commands.jsonl");
    expect(readlinkSync(debugPaths(home).current)).toBe(join("sessions", agent.id));
    appendFileSync(current, '{"type":"pause","id":"test1","data":{}}\n');
    const paused = await agent.seen("paused");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(agent.events().at(-1)).toEqual(paused);
    appendFileSync(current, '{"type":"resume","id":"test2","data":{}}\n');
    const resumed = await agent.seen("resumed");
    expect(resumed.sequence).toBe(paused.sequence + 1);
    await agent.seen("api_request", agent.count("api_request") + 2);
    const events = agent.events();
    for (const event of events) expect(check(agentEventSchema, event)).toMatchObject({ ok: true });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
  });

  it("pauses and resumes at every write, once for each [AGT-028]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(20_000, 1));
    for (let round = 1; round <= 15; round++) {
      command(agent, { type: "pause", id: `pause-${round}` });
      const paused = await agent.seen("paused", round);
      command(agent, { type: "resume", id: `resume-${round}` });
      const resumed = await agent.seen("resumed", round);
      // Nothing is written while it waits: it is woken, and does not look again and again.
      const between = agent.events().slice(paused.sequence, resumed.sequence - 1);
      expect(between.filter(({ type }) => type !== "command_response")).toEqual([]);
      await agent.seen("api_request", agent.count("api_request") + 1);
    }
    expect([agent.count("paused"), agent.count("resumed")]).toEqual([15, 15]);
  });

  it("survives bad lines, pieces and hostile patterns [AGT-022, AGT-023, AGT-025, AGT-065]", async () => {
    const agent = await startAgent(temporaryFolder(), busyTurns(1_000));
    command(agent, '{"type":"pause"\nnot json\n{"type":"dance","id":"d"}\n');
    command(agent, {
      type: "breakpoint",
      id: "evil",
      data: { action: "add", on: "pattern", regex: "(a+)+$" },
    });
    await until(
      () => agent.events().filter(({ data }) => data.context === "command_processing").length === 4,
    );
    const line = JSON.stringify({ type: "pause", id: "pieces" });
    for (const piece of [line.slice(0, 9), line.slice(9, 20), line.slice(20)]) {
      command(agent, piece);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(agent.types()).not.toContain("paused");
    command(agent, "\n");
    await agent.seen("paused");
    expect(
      agent
        .events()
        .filter(({ type }) => type === "command_executed")
        .map(({ data }) => data.commandId),
    ).toEqual(["evil", "pieces"]);
  });

  it("removes its session from the index when it ends; after a kill, the next reader does [AGT-070]", async () => {
    const home = temporaryFolder();
    const [a, b] = await Promise.all([startAgent(home, busyTurns(500)), startAgent(home, busyTurns(500))]);
    const indexed = (): string[] =>
      JSON.parse(readFileSync(debugPaths(home).index, "utf8")).sessions.map(({ id }: { id: string }) => id);
    expect(indexed().sort()).toEqual([a.id, b.id].sort());
    a.child.kill("SIGKILL");
    await a.finished;
    await cli(home, "sessions");
    expect(indexed()).toEqual([b.id]);
    b.child.kill("SIGTERM");
    expect((await b.finished).code).toBe(1);
    expect(indexed()).toEqual([]);
    expect(b.events().at(-1)).toMatchObject({ type: "session_end", data: { reason: "SIGTERM" } });
  });
});

describe("the command line", () => {
  it("lists, watches, pauses, inspects and resumes an agent of another terminal [AGT-040, AGT-045, AGT-046, AGT-049, AGT-071]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(1_000));
    const listed = await cli(home, "sessions");
    expect(listed.stdout).toContain(agent.id);
    expect(listed.stdout).toContain(`PID ${agent.child.pid}`);
    expect(listed.stdout).toMatch(/since \d{4}-/);
    expect(listed.stdout).toContain(agent.cwd);
    expect(JSON.parse((await cli(home, "sessions", "--json")).stdout).sessions).toMatchObject([
      { id: agent.id, kind: "agent", connected: true, pid: agent.child.pid, cwd: agent.cwd },
    ]);
    expect(await cli(home, "agent", "pause")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("✓ pause"),
      stderr: "",
    });
    await agent.seen("paused");
    expect((await cli(home, "sessions")).stdout).toMatch(/agent +paused/);
    const inspected = JSON.parse((await cli(home, "agent", "inspect", "--json")).stdout);
    expect(inspected).toMatchObject({
      type: "inspect",
      success: true,
      data: { paused: true, messages: {}, tools: {}, context: {} },
    });
    const text = await cli(home, "agent", "inspect", "messages");
    expect(text.stdout).toContain("do it");
    expect(text.stdout).not.toContain("run_command");
    expect(await cli(home, "agent", "step", "--json")).toMatchObject({ code: 0 });
    await agent.seen("step_complete");
    await agent.seen("paused", 2);
    expect(await cli(home, "agent", "resume")).toMatchObject({ code: 0 });
    await agent.seen("resumed", 2);
    expect((await cli(home, "sessions")).stdout).toMatch(/agent +running/);
  });

  it("writes each command as one line with type, id, data and time [AGT-047, AGT-048]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(10), ["--pause"]);
    await cli(home, "agent", "inject", "user", "Look at\nthe coupon first.");
    await cli(home, "agent", "inject", "assistant", "Noted.");
    const lines = [...readLines(join(agent.folder, "commands.jsonl"))].map(({ text }) => JSON.parse(text));
    for (const line of lines) expect(check(agentCommandSchema, line)).toMatchObject({ ok: true });
    expect(lines).toMatchObject([
      {
        type: "inject_message",
        data: { role: "user", content: "Look at\nthe coupon first." },
        timestamp: expect.stringMatching(/Z$/),
      },
      { type: "inject_message", data: { role: "assistant", content: "Noted." } },
    ]);
    expect(lines[0].id).not.toBe(lines[1].id);
    const { data } = JSON.parse((await cli(home, "agent", "inspect", "messages", "--json")).stdout);
    expect(data.messages.all.map(({ content }: { content: unknown }) => content)).toEqual([
      "do it",
      "Look at\nthe coupon first.",
      "Noted.",
    ]);
  });

  it("directs commands to the session that is named [AGT-043]", async () => {
    const home = temporaryFolder();
    const first = await startAgent(home, busyTurns(1_000));
    const second = await startAgent(home, busyTurns(1_000));
    expect((await cli(home, "agent", "pause", "-s", first.id)).code).toBe(0);
    await first.seen("paused");
    expect(second.types()).not.toContain("paused");
    expect((await cli(home, "agent", "pause", "--session", second.id.slice(-4))).code).toBe(0);
    await second.seen("paused");
    const wrong = await cli(home, "agent", "pause", "-s", "nope");
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain(first.id);
  });

  it("stops at breakpoints, changes the input of the call that is held, and cancels another [AGT-020, AGT-056, AGT-060, AGT-064, ARC-095]", async () => {
    const home = temporaryFolder();
    const other = { tool: "write_file", input: { path: "c.txt", content: "three" } };
    const agent = await startAgent(home, [write, other, { text: "done" }], ["--pause"]);
    const condition = 'input.content != "two"';
    const added = await cli(
      home,
      "agent",
      "breakpoint",
      "add",
      "tool",
      "write_file",
      "--condition",
      condition,
    );
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("bp-1  tool write_file") });
    expect((await cli(home, "agent", "breakpoint", "list")).stdout).toContain(condition);
    await cli(home, "agent", "resume");
    await agent.seen("breakpoint_hit");
    await agent.seen("paused", 2);
    expect(existsSync(join(agent.cwd, "a.txt"))).toBe(false);
    expect((await cli(home, "agent", "set", "input.path", "b.txt")).code).toBe(0);
    await cli(home, "agent", "resume");
    const hit = await agent.seen("breakpoint_hit", 2);
    await agent.seen("paused", 3);
    expect(readFileSync(join(agent.cwd, "b.txt"), "utf8")).toBe("one");
    const unknown = await cli(home, "agent", "cancel", "call_9");
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(hit.data.toolCall.toolId) });
    expect((await cli(home, "agent", "cancel", hit.data.toolCall.toolId)).code).toBe(0);
    await cli(home, "agent", "resume");
    expect((await agent.finished).code).toBe(0);
    expect([existsSync(join(agent.cwd, "a.txt")), existsSync(join(agent.cwd, "c.txt"))]).toEqual([
      false,
      false,
    ]);
  });

  it("manages breakpoints: enable, disable, clear, clear-all, deadlines [AGT-061, AGT-062, ARC-095]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(3_000, 5), ["--pause"]);
    const breakpoint = async (...args: string[]): Promise<{ success: boolean; data: never }> =>
      JSON.parse((await cli(home, "agent", "breakpoint", ...args, "--json")).stdout);
    expect(await breakpoint("add", "iteration", "2", "--deadline", "50ms")).toMatchObject({
      data: { id: "bp-1" },
    });
    await breakpoint("add", "pattern", "rm -rf");
    await breakpoint("add", "error", "--once", "--hit-count", "2");
    await breakpoint("disable", "bp-2");
    await breakpoint("clear", "bp-3");
    expect(await breakpoint("list")).toMatchObject({
      data: {
        breakpoints: [
          { id: "bp-1", enabled: true },
          { id: "bp-2", enabled: false },
        ],
      },
    });
    await breakpoint("enable", "bp-2");
    await cli(home, "agent", "resume");
    expect((await agent.seen("resumed", 2)).data.reason).toBe("deadline");
    expect(await breakpoint("clear-all")).toMatchObject({ data: { cleared: 2 } });
    const refused = await cli(home, "agent", "breakpoint", "add", "pattern", "(");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Unterminated group") });
  });

  it("returns an agent to a checkpoint [ARC-096]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(3), ["--pause"]);
    await cli(home, "agent", "checkpoint", "start");
    await cli(home, "agent", "step");
    await agent.seen("paused", 2);
    expect((await cli(home, "agent", "rewind", "start")).code).toBe(0);
    const { data } = JSON.parse((await cli(home, "agent", "inspect", "messages", "--json")).stdout);
    expect(data.messages.count).toBe(1);
    await cli(home, "agent", "resume");
    expect((await agent.finished).code).toBe(0);
    expect(agent.count("api_response")).toBe(4);
  });

  it("shows the names of agents, and does not trust the paths in their session files", async () => {
    const home = temporaryFolder();
    const [, second] = [
      await startAgent(home, busyTurns(10_000), ["--name", "first"]),
      await startAgent(home, busyTurns(10_000), ["--name", "second"]),
    ];
    await startAgent(home, busyTurns(10_000));
    expect((await cli(home, "agent", "pause", "-s", "second")).stdout).toContain(second.id);
    await second.seen("paused");
    const { sessions } = debugPaths(home);
    const evil = { id: "../../outside", pid: process.pid, startTime: "2026", cwd: "/\u001b[31m" };
    mkdirSync(join(sessions, "evil"));
    writeFileSync(join(sessions, "evil", "session.json"), JSON.stringify(evil));
    const outside = temporaryFolder();
    symlinkSync(outside, join(sessions, "linked"));
    const { stdout } = await cli(home, "sessions");
    expect(stdout).toMatch(/second, script\/turns.json, PID/);
    expect(stdout).toMatch(/^evil /m);
    expect(stdout).not.toMatch(/outside|linked|\u001b/);
    expect(await cli(home, "agent", "inspect", "-s", "linked")).toMatchObject({ code: 1, stdout: "" });
    expect(readdirSync(outside)).toEqual([]);
  });

  it("explains how to start an agent when there is none, and lists the running ones when it has ended [AGT-041, AGT-051, ARC-103]", async () => {
    const home = temporaryFolder();
    expect(await cli(home, "sessions")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No session yet"),
    });
    for (const args of [["step"], ["inspect"], ["watch"], ["set", "a", "b"]]) {
      const { code, stdout, stderr } = await cli(home, "agent", ...args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("debug-bridge agent run");
    }
    const first = await startAgent(home, busyTurns(1_000));
    const second = await startAgent(home, [{ text: "done" }]);
    await second.finished;
    const over = await cli(home, "agent", "pause", second.id);
    expect(over).toMatchObject({ code: 1, stderr: expect.stringContaining(`these run: ${first.id}`) });
    expect(await cli(home, "agent", "pause")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(first.id),
    });
    expect((await cli(home, "sessions", "--all")).stdout).toContain(second.id);
  });

  it.each([
    [["agent", "inspect", "everything"]],
    [["agent", "inject", "system", "Obey."]],
    [["agent", "inject", "user"]],
    [["agent", "breakpoint"]],
    [["agent", "breakpoint", "add", "tool"]],
    [["agent", "breakpoint", "add", "iteration", "0"]],
    [["agent", "breakpoint", "add", "error", "x"]],
    [["agent", "breakpoint", "add", "moon", "x"]],
    [["agent", "breakpoint", "add", "tool", "x", "--deadline", "soon"]],
    [["agent", "breakpoint", "add", "tool", "x", "--regex", "y"]],
    [["agent", "pause", "--timeout", "60000m"]],
    [["agent", "breakpoint", "remove", "x"]],
    [["agent", "run"]],
    [["agent", "run", "--script", "a.json", "--replay", "ab12"]],
    [["agent", "replay"]],
    [["agent", "replay", "x", "--speed", "fast"]],
    [["prune", "--keep", "-1"]],
  ])("answers the invalid call %j with exit code 2 [ARC-103]", async (args) => {
    const { code, stdout, stderr } = await cli(temporaryFolder(), ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).not.toBe("");
  });
});
