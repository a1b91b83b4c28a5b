import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, type Finished, start, temporaryFolder, until } from "../../fixtures.js";
import { cli, eventsOf, type RunningAgent, startAgent } from "../../support/agents/agents.js";
import { startModelServer } from "../../support/agents/model-server.js";

/** Runs a recorded session again, in another folder. */
async function replay(
  home: string,
  ...args: string[]
): // biome-ignore lint/suspicious/noExplicitAny: lines of several shapes.
Promise<Finished & { cwd: string; lines: any[]; id: string }> {
  const cwd = temporaryFolder();
  const { finished } = start(
    process.execPath,
    [CLI, "agent", "run", "--json", "--replay", ...args],
    { DEBUG_BRIDGE_HOME: home },
    cwd,
  );
  const ended = await finished;
  const lines = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line || "{}"));
  return { ...ended, cwd, lines, id: lines[0]?.id };
}

const steps = async (
  home: string,
  a: string,
  b: string,
): Promise<{ onlyFirst: object[]; onlySecond: object[] }> =>
  JSON.parse((await cli(home, "agent", "diff", a, b, "--json")).stdout);

const turns = [
  { tool: "write_file", input: { path: "a.txt", content: "x".repeat(20_000) } },
  { tool: "run_command", input: { command: "echo $RANDOM; exit 3" } },
  { tool: "read_file", input: { path: "a.txt" } },
  { text: "done" },
];

describe("a run that is replayed from its recording", () => {
  it("is the same again, without side effects", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns);
    await agent.finished;
    const again = await replay(home, agent.id);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.lines.at(-1)).toMatchObject({
      event: "done",
      text: "done",
      iterations: 4,
      compared: "the same as recorded",
    });
    expect(existsSync(join(again.cwd, "a.txt"))).toBe(false);
    expect(await steps(home, agent.id, again.id)).toMatchObject({ onlyFirst: [], onlySecond: [] });
  });

  it("repeats the messages, changed inputs, cancelled calls and rewinds of the first run", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns, ["--pause"]);
    const give = (...args: string[]): Promise<Finished> => cli(home, "agent", ...args, "-s", agent.id);
    await agent.seen("paused");
    await give("checkpoint", "start");
    await give("inject", "user", "be careful");
    await give("breakpoint", "add", "tool", "write_file");
    await give("breakpoint", "add", "tool", "run_command");
    await give("resume");
    await agent.seen("breakpoint_hit", 1);
    await give("set", "input.path", "b.txt");
    await give("resume");
    await agent.seen("breakpoint_hit", 2);
    await give("cancel", "call_2");
    await give("resume");
    await agent.finished;
    expect(existsSync(join(agent.cwd, "b.txt"))).toBe(true);
    const again = await replay(home, agent.id);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    const { onlyFirst, onlySecond } = await steps(home, agent.id, again.id);
    expect(onlyFirst).toEqual([]);
    // A call that was cancelled has no separate result; what the model received is the same.
    expect(onlySecond).toMatchObject([
      { type: "tool_result", data: { result: expect.stringContaining("cancelled") } },
    ]);
  });

  it("repeats a message that was injected while a tool was held, in the same place", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns, ["--pause"]);
    const give = (...args: string[]): Promise<Finished> => cli(home, "agent", ...args, "-s", agent.id);
    await agent.seen("paused");
    await give("breakpoint", "add", "tool", "run_command");
    await give("resume");
    await agent.seen("breakpoint_hit");
    await give("inject", "user", "mind the exit code");
    const { messages } = JSON.parse((await give("inspect", "messages", "--json")).stdout).data;
    expect(messages.all.at(-1).content).toBe("mind the exit code");
    await give("resume");
    await agent.finished;
    const requests = agent.events().filter(({ type }) => type === "api_request");
    // The result of a call comes right after it: models refuse anything else.
    expect(requests[2]?.data.messages).toMatchObject([
      { role: "assistant", content: [{ type: "tool_use" }] },
      { role: "user", content: [{ type: "tool_result" }] },
      { role: "user", content: "mind the exit code" },
    ]);
    const again = await replay(home, agent.id);
    expect([again.code, again.stderr]).toEqual([0, ""]);
  });

  it("rewinds at a tool call that was held, which does not run", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns, ["--pause"]);
    const give = (...args: string[]): Promise<Finished> => cli(home, "agent", ...args, "-s", agent.id);
    await agent.seen("paused");
    await give("breakpoint", "add", "tool", "write_file");
    await give("resume");
    await agent.seen("breakpoint_hit");
    await give("checkpoint", "before the write");
    await give("rewind", "before the write");
    await until(() => agent.count("tool_call_end") === 1);
    expect(existsSync(join(agent.cwd, "a.txt"))).toBe(false);
    await give("resume");
    await agent.seen("breakpoint_hit", 2);
    await give("resume");
    await agent.finished;
    const first = agent.events().filter(({ type }) => type === "api_request");
    // It is asked again what it was asked before, and what was taken back is not in it.
    expect(first[1]?.data).toMatchObject({ kept: 1, messages: [], messageCount: 1 });
    expect(existsSync(join(agent.cwd, "a.txt"))).toBe(true);
    const again = await replay(home, agent.id);
    expect([again.code, again.stderr]).toEqual([0, ""]);
  });

  it("rewinds where the first run was rewound", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, [{ text: "one" }, { text: "two" }, { text: "three" }], ["--pause"]);
    await agent.seen("paused");
    await cli(home, "agent", "checkpoint", "start");
    await cli(home, "agent", "step");
    await agent.seen("paused", 2);
    await cli(home, "agent", "rewind", "start");
    await cli(home, "agent", "resume");
    await agent.finished;
    const again = await replay(home, agent.id);
    expect([again.code, again.lines.filter(({ event }) => event === "text").map(({ text }) => text)]).toEqual(
      [0, ["one", "one", "two", "three"]],
    );
  });

  it("stops at the first difference and shows it", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns);
    await agent.finished;
    const other = await replay(home, agent.id, "another task");
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("message 1 of 1 is different")]);
    expect(other.lines.at(-1)).toMatchObject({
      event: "difference",
      recorded: { role: "user", content: "do it" },
      actual: { role: "user", content: "another task" },
    });
    changeEvent(agent, "tool_call_start", 2, (data) => ({ ...data, input: { command: "rm -rf /" } }));
    const changed = await start(
      process.execPath,
      [CLI, "agent", "run", "--replay", agent.id],
      { DEBUG_BRIDGE_HOME: home },
      temporaryFolder(),
    ).finished;
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringContaining("the call of run_command is different"),
    ]);
    expect(changed.stdout).toContain('- {"name":"run_command","input":{"command":"rm -rf /"}}');
    expect(changed.stdout).toContain('+ {"name":"run_command","input":{"command":"echo $RANDOM; exit 3"}}');
  });

  it("ends where the recording of an agent that was killed ends, and reports what cannot be repeated", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, [{ tool: "run_command", input: { command: "sleep 60" } }]);
    await agent.seen("tool_call_start");
    agent.child.kill("SIGKILL");
    await agent.finished;
    const again = await replay(home, agent.id);
    expect([again.code, again.lines.at(-1)]).toMatchObject([0, { event: "done", text: "", iterations: 0 }]);
    expect(eventsOf(again.lines[0].folder).at(-1)?.data.reason).toBe("the recording ends here");
    rmSync(join(agent.folder, "events.jsonl"));
    writeFileSync(join(agent.folder, "events.jsonl"), '{"type":"session_start","data":{}}\n');
    expect((await replay(home, agent.id)).stderr).toContain("has no model call to run again");
  });

  it("needs no model, key or network, even if the first run did", async () => {
    const home = temporaryFolder();
    const server = await startModelServer([
      { tool: "write_file", input: { path: "a.txt", content: "hello" } },
      { tool: "read_file", input: { path: "missing.txt" } },
      { text: "done" },
    ]);
    const first = start(
      process.execPath,
      [CLI, "agent", "run", "--json", "--model", "m", "--base-url", `${server.url}/v1`, "write a note"],
      { DEBUG_BRIDGE_HOME: home },
      temporaryFolder(),
    );
    const { id } = JSON.parse((await first.finished).stdout.split("\n")[0] ?? "");
    expect(server.requests).toHaveLength(3);
    const again = await replay(home, id);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.lines.at(-1)).toMatchObject({
      event: "done",
      text: "done",
      iterations: 3,
      compared: "the same as recorded",
    });
    expect(server.requests).toHaveLength(3);
    expect(existsSync(join(again.cwd, "a.txt"))).toBe(false);
    expect(await steps(home, id, again.id)).toMatchObject({ onlyFirst: [], onlySecond: [] });
    const other = await replay(home, id, "another task");
    expect([other.code, other.lines.at(-1).event]).toEqual([1, "difference"]);
  });
});

/** Rewrites one event of a recording. */
function changeEvent(
  { folder }: RunningAgent,
  type: string,
  nth: number,
  change: (data: Record<string, unknown>) => object,
): void {
  const file = join(folder, "events.jsonl");
  let seen = 0;
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const event = JSON.parse(line);
      return event.type === type && ++seen === nth
        ? JSON.stringify({ ...event, data: change(event.data) })
        : line;
    });
  writeFileSync(file, `${lines.join("\n")}\n`);
}
