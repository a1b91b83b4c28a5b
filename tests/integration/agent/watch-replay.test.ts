import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { CLI, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { busyTurns, cli, startAgent } from "../../support/agents/agents.js";

async function startWatch(home: string, ...args: string[]): Promise<Started> {
  const watch = start(process.execPath, [CLI, "agent", "watch", ...args], {
    DEBUG_BRIDGE_HOME: home,
  });
  await until(() => watch.output.stderr.includes("watching") || watch.child.exitCode !== null);
  return watch;
}

describe("debug-bridge agent watch", () => {
  it("shows a run as it happens, until the session ends [AGT-042, AGT-052…054]", async () => {
    const home = temporaryFolder();
    const turns = [
      { tool: "run_command", input: { command: "exit 3" } },
      { tool: "list_files" },
      { text: "done" },
    ];
    const agent = await startAgent(home, turns, ["--pause"]);
    await agent.seen("paused");
    const watch = await startWatch(home, "--from-start");
    await cli(home, "agent", "resume");
    const { code, stdout } = await watch.finished;
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    for (const line of lines) expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] [a-z_]+ */);
    const time = new Date(agent.events()[0]?.timestamp ?? "").toTimeString().slice(0, 8);
    expect(lines[0]).toContain(`[${time}] session_start        script/turns.json`);
    for (const part of [
      "api_request          1 messages",
      "api_response         tool_use (",
      "tool_call_start      run_command call_1",
      "tool_call_end        ✗ run_command (",
      "tool_call_end        ✓ list_files (",
      "paused               Agent paused",
      "resumed              Agent resumed",
      "assistant_message    done",
      "session_end          done",
    ]) {
      expect(stdout).toContain(part);
    }
  });

  it("shows only the requested types, of the named session [AGT-043, AGT-044]", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, [{ tool: "list_files" }, { text: "done" }], ["--pause"]);
    const other = await startAgent(home, busyTurns(500));
    const watch = await startWatch(
      home,
      "-s",
      agent.id,
      "--types",
      "tool_call_start,tool_call_end",
      "--json",
    );
    await cli(home, "agent", "resume", "-s", agent.id);
    const { stdout } = await watch.finished;
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ["tool_call_start", agent.id],
      ["tool_call_end", agent.id],
    ]);
    expect(other.child.exitCode).toBeNull();
  });

  it("follows any agent that writes the same files, skips what is not an event, and prints no escape sequence [AGT-055, ARC-031]", async () => {
    const root = temporaryFolder();
    const folder = join(root, "debug", "sessions", "debug_20260123_131000_abc1");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "events.jsonl");
    writeFileSync(file, "");
    writeFileSync(join(root, "debug", "current"), "debug_20260123_131000_abc1\n");
    const watch = await startWatch(temporaryFolder(), "--dir", join(root, "debug"));
    appendFileSync(
      file,
      'broken {\n{"type":"error","timestamp":"2026-01-01T00:00:00Z","data":{"message":"a\\u001b[2Jb"}}\n{"type":"tho',
    );
    await until(() => watch.output.stdout.includes("error"));
    appendFileSync(file, 'ught","data":null}\n');
    await until(() => watch.output.stdout.includes("thought"));
    expect(watch.output.stdout).toContain("error                a[2Jb");
    watch.child.kill("SIGINT");
    expect((await watch.finished).code).toBe(0);
  });

  it("ends when the agent is killed", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, busyTurns(1_000));
    const watch = await startWatch(home);
    agent.child.kill("SIGKILL");
    const { code, stderr } = await watch.finished;
    expect([code, stderr]).toEqual([0, expect.stringContaining("has ended")]);
  });
});

describe("debug-bridge agent replay", () => {
  const record = (sequence: number, type: string, ms: number, data: object = {}): string =>
    `${JSON.stringify({ type, timestamp: new Date(1_767_225_600_000 + ms).toISOString(), sessionId: "s", sequence, data })}\n`;
  const recording = [
    record(1, "session_start", 0, { provider: "p", model: "m" }),
    record(2, "api_request", 100, { iteration: 1, messageCount: 1 }),
    record(3, "tool_call_start", 300, { iteration: 1, name: "x" }),
    record(4, "api_request", 1_000, { iteration: 2, messageCount: 3 }),
    record(5, "session_end", 1_200, { reason: "done" }),
  ].join("");

  function file(text = recording): string {
    const path = join(temporaryFolder(), "events.jsonl");
    writeFileSync(path, text);
    return path;
  }

  const types = (stdout: string): string[] =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => /\] ([a-z_]+)/.exec(line)?.[1] ?? line);

  it("prints the events of any file, and reports what it left out [AGT-066]", async () => {
    const home = temporaryFolder();
    expect((await cli(home, "agent", "replay", file())).stdout.split("\n")).toHaveLength(6);
    const damaged = await cli(home, "agent", "replay", file(`${recording}no event\n{"torn":`));
    expect([damaged.code, types(damaged.stdout).length, damaged.stderr]).toEqual([
      0,
      5,
      expect.stringContaining("1 lines"),
    ]);
    expect(await cli(home, "agent", "replay", "nowhere.jsonl")).toMatchObject({ code: 1, stdout: "" });
  });

  it("ends quietly when its reader has seen enough", async () => {
    const command = `"${process.execPath}" "${CLI}" agent replay "${file(recording.repeat(20_000))}" | head -1`;
    const { stdout, stderr } = await start("sh", ["-c", command]).finished;
    expect([types(stdout), stderr]).toEqual([["session_start"], ""]);
  });

  it("starts where requested, and shows only the requested types", async () => {
    const home = temporaryFolder();
    const replayed = async (...args: string[]): Promise<string[]> =>
      types((await cli(home, "agent", "replay", file(), ...args)).stdout);
    expect(await replayed("--from-iteration", "2")).toEqual(["api_request", "session_end"]);
    expect(await replayed("--from-sequence", "3")).toEqual(["tool_call_start", "api_request", "session_end"]);
    expect(await replayed("--types", "api_request")).toEqual(["api_request", "api_request"]);
  });

  it("keeps the recorded pauses, or shortens them [AGT-067, AGT-068]", async () => {
    const home = temporaryFolder();
    const took = async (path: string, ...args: string[]): Promise<number> => {
      const from = Date.now();
      expect(await cli(home, "agent", "replay", path, ...args)).toMatchObject({ code: 0, stderr: "" });
      return Date.now() - from;
    };
    const [timed, half] = await Promise.all([took(file(), "--timed"), took(file(), "--speed", "2x")]);
    expect(timed).toBeGreaterThanOrEqual(1_200);
    expect(half).toBeGreaterThanOrEqual(600);
    // An hour, which the test would not outlive if it were kept.
    const hour = file(record(1, "session_start", 0, {}) + record(2, "session_end", 3_600_000, {}));
    expect(await took(hour, "--speed", "3600x")).toBeGreaterThanOrEqual(1_000);
    await took(hour);
  });

  it("shows a session by its id, with complete payloads", async () => {
    const home = temporaryFolder();
    const content = "z".repeat(50_000);
    const agent = await startAgent(home, [{ tool: "write_file", input: { path: "a", content } }]);
    await agent.finished;
    const { stdout } = await cli(home, "agent", "replay", agent.id, "--json", "--types", "tool_call_start");
    expect(JSON.parse(stdout).data.input).toEqual({ path: "a", content });
  });
});

describe("debug-bridge prune", () => {
  it("keeps the newest recordings [ARC-082]", async () => {
    const home = temporaryFolder();
    for (let i = 10; i < 35; i++) {
      const id = `debug_202601${i}_000000_ab12`;
      mkdirSync(join(debugPaths(home).sessions, id), { recursive: true });
      const session = {
        id,
        pid: 4_194_304 * 8,
        startTime: `2026-01-01T00:00:${i}.000Z`,
        cwd: "/",
        kind: "agent",
      };
      writeFileSync(join(debugPaths(home).sessions, id, "session.json"), JSON.stringify(session));
    }
    expect(JSON.parse((await cli(home, "prune", "--json")).stdout).removed).toHaveLength(5);
    expect(readdirSync(debugPaths(home).sessions)).toHaveLength(20);
    expect((await cli(home, "prune", "--keep", "1")).stdout).toBe("19 sessions removed\n");
    expect(readdirSync(debugPaths(home).sessions)).toEqual(["debug_20260134_000000_ab12"]);
  });
});
