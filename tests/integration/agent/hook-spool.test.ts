import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { debugPaths, readCurrent } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import {
  CLI,
  type Finished,
  ROOT,
  type Started,
  start,
  startUp,
  temporaryFolder,
  until,
} from "../../fixtures.js";
import { type AgentEvent, cli, eventsOf } from "../../support/agents/agents.js";

const SCRIPT = join(ROOT, "packages/cli/bin/hook.sh");
const SILENT = { code: 0, stdout: "", stderr: "" };

const base = { session_id: "0f5e", cwd: "/home/ada/shop" };
const pre = (command: string, id: string): object => ({
  ...base,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id,
});
const post = (id: string): object => ({
  ...pre("ls", id),
  hook_event_name: "PostToolUse",
  tool_response: { stdout: "ok" },
});
const prompt = { ...base, hook_event_name: "UserPromptSubmit", prompt: "go" };

let inputs = 0;

/** Starts a hook as an agent does: this process is the agent. */
function startHook(home: string, event: object | string): Started {
  const file = join(home, `input-${++inputs}.json`);
  writeFileSync(file, typeof event === "string" ? event : JSON.stringify(event));
  const program = `exec sh "${SCRIPT}" "${process.execPath}" "${CLI}"`;
  const command = `${program} hook --timeout 600 --for claude-code < "${file}"`;
  return start("/bin/sh", ["-c", command], { DEBUG_BRIDGE_HOME: home });
}

const hook = (...args: Parameters<typeof startHook>): Promise<Finished> => startHook(...args).finished;
const spoolOf = (home: string): string => join(debugPaths(home).hooks, "spool");
const spooled = (home: string): string[] =>
  readdirSync(spoolOf(home)).filter((name) => /^\d+\.\d+$/.test(name));
const folderOf = (home: string): string => join(debugPaths(home).sessions, readCurrent(home) ?? "none");
const events = (home: string): AgentEvent[] => eventsOf(folderOf(home));
const starts = (home: string): string[] =>
  events(home)
    .filter(({ type }) => type === "tool_call_start")
    .map(({ data }) => data.toolId);

/** A command that was written long ago: some systems count the times of files in seconds. */
function commandsAreOld(home: string): void {
  utimesSync(join(folderOf(home), "commands.jsonl"), 1_000_000_000, 1_000_000_000);
}

describe("a hook that has nothing to stop for", () => {
  it("is written to the spool by a shell, and is an event with its time when somebody looks", async () => {
    const home = temporaryFolder();
    await hook(home, prompt);
    for (const event of [pre("ls", "t1"), post("t1"), pre("pwd", "t2")])
      expect(await hook(home, event)).toMatchObject(SILENT);
    expect([spooled(home).length, starts(home)]).toEqual([3, []]);
    const [first = ""] = readFileSync(join(spoolOf(home), "order"), "utf8").split("\n");
    const written = statSync(join(spoolOf(home), first)).mtime;
    await cli(home, "sessions");
    expect(events(home).map(({ type }) => type)).toEqual([
      "session_start",
      "user_input",
      "tool_call_start",
      "tool_call_end",
      "tool_result",
      "tool_call_start",
    ]);
    expect(events(home).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events(home)[2]).toMatchObject({
      timestamp: written.toISOString(),
      data: { toolId: "t1", iteration: 1 },
    });
    expect(spooled(home)).toEqual([]);
  });

  it("becomes one that stops as soon as a command is written, also by another program", async () => {
    const home = temporaryFolder();
    await hook(home, prompt);
    await hook(home, pre("ls", "t1"));
    const command = { type: "breakpoint", id: "c1", data: { action: "add", on: "tool", name: "Bash" } };
    appendFileSync(join(folderOf(home), "commands.jsonl"), `${JSON.stringify(command)}\n`);
    const held = startHook(home, pre("rm", "t2"));
    await until(() => events(home).some(({ type }) => type === "paused"));
    expect(starts(home)).toEqual(["t1"]);
    await cli(home, "agent", "breakpoint", "clear-all");
    await cli(home, "agent", "resume");
    expect((await held.finished).code).toBe(0);
    expect(starts(home)).toEqual(["t1", "t2"]);
    commandsAreOld(home);
    await hook(home, post("t2"));
    await hook(home, pre("ls", "t3"));
    expect([spooled(home).length, starts(home)]).toEqual([1, ["t1", "t2"]]);
  });

  it("keeps every event of many that run at once, with one number each", async () => {
    const home = temporaryFolder();
    await hook(home, prompt);
    const ids = Array.from({ length: 30 }, (_, i) => `t${i}`);
    // Longer than what a pipe takes at once, so that two writers could mix.
    const results = await Promise.all(ids.map((id) => hook(home, pre("x".repeat(200_000), id))));
    for (const result of results) expect(result).toMatchObject(SILENT);
    const order = readFileSync(join(spoolOf(home), "order"), "utf8")
      .trim()
      .split("\n");
    const written = order.map(
      (name) => JSON.parse(readFileSync(join(spoolOf(home), name), "utf8")).tool_use_id,
    );
    await Promise.all([cli(home, "sessions"), cli(home, "sessions"), cli(home, "sessions")]);
    expect([...starts(home)].sort()).toEqual([...ids].sort());
    expect(starts(home)).toEqual(written);
    expect(events(home).map(({ sequence }) => sequence)).toEqual(events(home).map((_, i) => i + 1));
  });

  it("fills no disk: when the spool is full, Node starts once and reads it", async () => {
    const home = temporaryFolder();
    await hook(home, prompt);
    await hook(home, pre("ls", "first"));
    const [entry = ""] = spooled(home);
    const text = readFileSync(join(spoolOf(home), entry), "utf8");
    for (let i = 0; i < 600; i++) {
      writeFileSync(join(spoolOf(home), `7.${i + 1}`), text.replace("first", `t${i}`));
      appendFileSync(join(spoolOf(home), "order"), `7.${i + 1}\n`);
    }
    await hook(home, pre("ls", "last"));
    expect(spooled(home)).toEqual([]);
    expect(starts(home)).toEqual(["first", ...Array.from({ length: 600 }, (_, i) => `t${i}`), "last"]);
  });

  it("is read whatever else is in the spool: parts of lines, links, other names, files without an entry", async () => {
    const home = temporaryFolder();
    await hook(home, prompt);
    await hook(home, pre("ls", "t1"));
    const spool = spoolOf(home);
    writeFileSync(join(home, "secret"), JSON.stringify(pre("secret", "leak")));
    symlinkSync(join(home, "secret"), join(spool, "7.1"));
    mkdirSync(join(spool, "7.2"));
    writeFileSync(join(spool, "7.3"), '{"session_id": "0f5e", "hook_ev');
    writeFileSync(join(spool, "7.4"), JSON.stringify(pre("old", "abandoned")));
    utimesSync(join(spool, "7.4"), 1_000_000_000, 1_000_000_000);
    appendFileSync(join(spool, "order"), `7.1\n7.2\n7.3\n../../secret\n${"9".repeat(5_000)}\n\n7.`);
    await cli(home, "sessions");
    expect(starts(home)).toEqual(["t1", "abandoned"]);
    expect(existsSync(join(home, "secret"))).toBe(true);
    // The next writer completes the partial line; its own entry is found later without it.
    await hook(home, pre("ls", "t2"));
    for (const name of spooled(home)) utimesSync(join(spool, name), 1_000_000_000, 1_000_000_000);
    await cli(home, "sessions");
    expect(starts(home)).toEqual(["t1", "abandoned", "t2"]);
  });

  it("is on the timeline of a running hub without delay", async () => {
    const home = temporaryFolder();
    await startUp([], home);
    await hook(home, prompt);
    await hook(home, pre("ls", "t1"));
    await until(() => starts(home).length === 1 && spooled(home).length === 0);
  });
});
