import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, runCli, temporaryFolder } from "../../fixtures.js";
import { cli } from "../../support/agents/agents.js";
import { sentTo, startCodex } from "./codex.js";

const run = (cmd: string): { tool: string; input: object } => ({ tool: "exec_command", input: { cmd } });
const DONE = { text: "The shop is fixed." };

describe("the real Codex", () => {
  it("is recorded, and not delayed, while nobody pauses it", async () => {
    const home = temporaryFolder();
    const codex = await startCodex(home, [run("echo one > one.txt"), DONE]);
    codex.begin();
    expect((await codex.finished).code).toBe(0);
    expect(readFileSync(join(codex.cwd, "one.txt"), "utf8")).toBe("one\n");
    expect(codex.events().map(({ type }) => type)).toEqual([
      "session_start",
      "user_input",
      "tool_call_start",
      "tool_call_end",
      "tool_result",
      "assistant_message",
      "session_end",
    ]);
    expect(codex.events().at(-2)?.data.content).toBe(DONE.text);
    expect(JSON.parse((await cli(home, "sessions", "--all", "--json")).stdout).sessions).toMatchObject([
      { id: codex.id, connected: false },
    ]);
  });

  it("is paused at a tool by a breakpoint, inspected, its command changed, and resumed", async () => {
    const codex = await startCodex(temporaryFolder(), [run("echo wrong > out.txt"), DONE]);
    expect((await codex.give("breakpoint", "add", "pattern", "out.txt")).code).toBe(0);
    codex.begin();
    const hit = await codex.seen("breakpoint_hit");
    expect(hit.data.toolCall).toMatchObject({ name: "Bash", input: { command: "echo wrong > out.txt" } });
    const state = JSON.parse((await codex.give("inspect", "--json")).stdout).data;
    expect(state).toMatchObject({ paused: true, held: [{ name: "Bash" }] });
    expect(JSON.stringify(state.messages.all)).toContain("fix the shop");
    expect(existsSync(join(codex.cwd, "out.txt"))).toBe(false);
    await codex.give("set", "input.command", "echo right > out.txt");
    await codex.give("resume");
    expect((await codex.finished).code).toBe(0);
    expect(readFileSync(join(codex.cwd, "out.txt"), "utf8")).toBe("right\n");
    expect(codex.items("command_execution")[0].command).toContain("echo right");
    expect((await codex.seen("tool_call_start")).data.input).toEqual({ command: "echo right > out.txt" });
  });

  it("says itself that hooks which nobody trusts do not run", async () => {
    const home = temporaryFolder();
    const codexHome = temporaryFolder();
    const file = join(codexHome, "hooks.json");
    await cli(home, "hook", "install", "codex", "--file", file);
    const path = `${join(ROOT, "node_modules/.bin")}${delimiter}${process.env.PATH}`;
    const env = { DEBUG_BRIDGE_HOME: home, CODEX_HOME: codexHome, PATH: path };
    const { stdout } = await runCli(["hook", "status", "codex"], env);
    expect(stdout).toMatch(/^installed in .*\ntrusted: no;/);
  });

  it("stops at a command that fails, and its exit code is known", async () => {
    const home = temporaryFolder();
    const codex = await startCodex(home, [run("echo out; exit 3"), run("echo fine"), DONE]);
    await codex.give("breakpoint", "add", "error");
    codex.begin();
    expect((await codex.seen("breakpoint_hit")).data).toMatchObject({ name: "Bash", message: "out\n" });
    await codex.give("resume");
    expect((await codex.finished).code).toBe(0);
    await cli(home, "sessions");
    const ends = codex.events().filter(({ type }) => type === "tool_call_end");
    expect(ends.map(({ data: { isError, exitCode } }) => [isError, exitCode])).toEqual([
      [true, 3],
      [false, 0],
    ]);
  });

  it("has a call cancelled, and its model learns about it", async () => {
    const codex = await startCodex(temporaryFolder(), [run("touch gone.txt"), DONE]);
    await codex.give("breakpoint", "add", "tool", "Bash");
    codex.begin();
    const { toolId } = (await codex.seen("breakpoint_hit")).data.toolCall;
    expect((await codex.give("cancel", toolId)).stdout).toContain("cancel_tool");
    await codex.give("resume");
    expect((await codex.finished).code).toBe(0);
    expect(existsSync(join(codex.cwd, "gone.txt"))).toBe(false);
    expect(sentTo(codex, 1)).toContain("was cancelled by the debugger");
  });

  it("is stepped from tool to tool, and a message that is injected reaches its model", async () => {
    const codex = await startCodex(temporaryFolder(), [
      run("echo 1"),
      run("echo 2"),
      run("echo 3"),
      DONE,
      DONE,
    ]);
    await codex.give("pause");
    codex.begin();
    await codex.seen("paused", 1);
    await codex.give("step");
    await codex.seen("paused", 2);
    expect(codex.items("command_execution")).toHaveLength(1);
    await codex.give("inject", "user", "Look at the coupon first.");
    await codex.give("step");
    await codex.seen("paused", 3);
    expect(sentTo(codex, 1)).not.toContain("coupon");
    expect(sentTo(codex, 2)).toContain("Look at the coupon first.");
    await codex.give("inject", "user", "And then the taxes.");
    await codex.give("resume");
    expect((await codex.finished).code).toBe(0);
    expect(sentTo(codex, 3)).toContain("And then the taxes.");
  });

  it("continues with a message that came when it was about to stop", async () => {
    const codex = await startCodex(temporaryFolder(), [DONE, { text: "The taxes, too." }]);
    await codex.give("inject", "user", "And the taxes?");
    codex.begin();
    expect((await codex.finished).code).toBe(0);
    expect(sentTo(codex, 1)).toContain("And the taxes?");
    expect(codex.items("agent_message").map(({ text }) => text)).toEqual([DONE.text, "The taxes, too."]);
  });

  it("runs twice at once, each paused and resumed separately", async () => {
    const home = temporaryFolder();
    const [first, second] = await Promise.all([
      startCodex(home, [run("echo first > out.txt"), DONE]),
      startCodex(home, [run("echo second > out.txt"), DONE]),
    ]);
    const listed = JSON.parse((await cli(home, "sessions", "--json")).stdout).sessions as { id: string }[];
    expect(listed.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    await Promise.all([first.give("breakpoint", "add", "tool", "Bash"), second.give("pause")]);
    first.begin();
    second.begin();
    await Promise.all([first.seen("paused"), second.seen("paused")]);
    await first.give("resume");
    expect((await first.finished).code).toBe(0);
    expect(readFileSync(join(first.cwd, "out.txt"), "utf8")).toBe("first\n");
    expect([second.child.exitCode, existsSync(join(second.cwd, "out.txt"))]).toEqual([null, false]);
    await second.give("resume");
    expect((await second.finished).code).toBe(0);
    expect(readFileSync(join(second.cwd, "out.txt"), "utf8")).toBe("second\n");
  });
});
