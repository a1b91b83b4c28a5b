import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLines } from "@debug-bridge/journal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startReferenceAgent } from "./agent.js";
import { readScript, ScriptedModel } from "./script.js";
import { createTools } from "./tools.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

function script(turns: unknown): string {
  const path = join(folder, "turns.json");
  writeFileSync(path, typeof turns === "string" ? turns : JSON.stringify(turns));
  return path;
}

describe("the reference agent", () => {
  it("runs its script with real tools and ends after the last turn [ARC-099]", async () => {
    const turns = readScript(
      script([
        { tool: "write_file", input: { path: "notes/a.txt", content: "hello" } },
        { tool: "read_file", input: { path: "notes/a.txt" } },
        { tool: "run_command", input: { command: "cat notes/a.txt; exit 3" } },
        { tool: "fly" },
        { text: "done" },
      ]),
    );
    const run = startReferenceAgent({
      task: "write a note",
      model: new ScriptedModel("turns.json", turns),
      cwd: folder,
      home: join(folder, "home"),
    });
    expect(await run.done).toEqual({ text: "done", iterations: 5 });
    expect(readFileSync(join(folder, "notes/a.txt"), "utf8")).toBe("hello");
    const events = [...readLines(join(run.debug.folder ?? "", "events.jsonl"))].map(({ text }) =>
      JSON.parse(text),
    );
    const results = events
      .filter(({ type }) => type === "tool_result")
      .map(({ data }) => [data.isError, data.result]);
    expect(results).toEqual([
      [false, "wrote 5 bytes to notes/a.txt"],
      [false, "hello"],
      [true, "exit code 3\nhello"],
      [true, 'tool "fly" does not exist; existing tools: read_file, list_files, write_file, run_command'],
    ]);
    expect(events.filter(({ type }) => type === "api_request")).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({ type: "session_end", data: { reason: "done" } });
  });

  it.each([
    ["nothing", "cannot be read"],
    [{}, "it is not an array"],
    [[1], "turn 1 is not an object"],
    [[{ text: "a" }, {}], "turn 2 has neither text nor a tool"],
    [[{ text: "a", tool: "b" }], "turn 1 has neither text nor a tool, or both"],
    [[{ tool: "b", input: [] }], "turn 1 has an input that is not an object"],
    [[{ text: "a", delayMs: -1 }], "turn 1 has a delayMs"],
  ])("rejects the script %j with a reason", (turns, why) => {
    expect(() => readScript(script(turns))).toThrow(why);
  });
});

describe("its tools", () => {
  it.each(["../out.txt", "/etc/passwd", "link/out.txt"])("do not reach %s", async (path) => {
    const cwd = join(folder, "work");
    mkdirSync(cwd);
    symlinkSync(folder, join(cwd, "link"));
    const { read_file, write_file } = createTools(cwd);
    await expect(read_file?.run({ path }, never)).rejects.toThrow("is outside the working folder");
    await expect(write_file?.run({ path, content: "x" }, never)).rejects.toThrow(
      "is outside the working folder",
    );
    expect(existsSync(join(folder, "out.txt"))).toBe(false);
  });

  it("end a command and its child processes when the call is cancelled or times out", async () => {
    const { run_command, list_files } = createTools(folder);
    const controller = new AbortController();
    const command = "(sleep 30; touch late) & echo $! > pid; wait";
    const running = run_command?.run({ command }, controller.signal);
    while (!existsSync(join(folder, "pid")) || readFileSync(join(folder, "pid"), "utf8") === "")
      await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
    await expect(run_command?.run({ command: "sleep 30", timeoutMs: 20 }, never)).rejects.toThrow(
      "longer than 20 ms",
    );
    expect(await list_files?.run({}, never)).toBe("pid");
    await expect(run_command?.run({}, never)).rejects.toThrow('the input has no "command"');
  });
});
