import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { cli } from "../support/agents/agents.js";
import { startOpencode } from "./opencode.js";

const run = (command: string) => ({ tool: "bash", input: { command, description: "Does it" } });
const DONE = { text: "The shop is fixed." };

describe("the real opencode", () => {
  it("is recorded, with tools that fail", async () => {
    const home = temporaryFolder();
    const opencode = await startOpencode(home, [run("echo one > one.txt"), run("exit 3"), DONE]);
    opencode.begin();
    expect((await opencode.finished).code).toBe(0);
    expect(readFileSync(join(opencode.cwd, "one.txt"), "utf8")).toBe("one\n");
    // Reads what the hooks left for later.
    await cli(home, "hook", "status", "opencode");
    expect(opencode.events().map(({ type }) => type)).toEqual([
      "session_start",
      "user_input",
      ...["tool_call_start", "tool_call_end", "tool_result"],
      ...["tool_call_start", "tool_call_end", "tool_result"],
    ]);
    const [first, second] = opencode.events().filter(({ type }) => type === "tool_call_end");
    expect(first?.data).toMatchObject({ name: "bash", isError: false });
    expect(second?.data).toMatchObject({ name: "bash", isError: true, exitCode: 3 });
    expect(opencode.events()[0]?.data).toMatchObject({ model: "stand-in" });
  });

  it("is held at a tool, its command changed, receives a message, and a call refused", async () => {
    const home = temporaryFolder();
    const opencode = await startOpencode(home, [run("echo wrong > out.txt"), run("touch never.txt"), DONE]);
    await opencode.give("breakpoint", "add", "tool", "bash");
    opencode.begin();
    const hit = await opencode.seen("breakpoint_hit");
    expect(hit.data.toolCall).toMatchObject({ name: "bash", input: { command: "echo wrong > out.txt" } });
    expect(existsSync(join(opencode.cwd, "out.txt"))).toBe(false);
    await opencode.give("set", "input.command", "echo right > out.txt");
    await opencode.give("inject", "user", "And mind the taxes.");
    await opencode.give("resume");
    const { data } = await opencode.seen("paused", 2);
    expect(readFileSync(join(opencode.cwd, "out.txt"), "utf8")).toBe("right\n");
    expect(JSON.stringify(opencode.server.requests.at(-1)?.body)).toContain("And mind the taxes.");
    const held = JSON.parse((await opencode.give("inspect", "--json")).stdout).data.held;
    expect(data).toBeDefined();
    await opencode.give("cancel", held[0].toolId);
    await opencode.finished;
    expect(existsSync(join(opencode.cwd, "never.txt"))).toBe(false);
    expect(JSON.stringify(opencode.server.requests.at(-1)?.body)).toContain("was cancelled by the debugger");
  });

  it("has its plugin removed without a trace", async () => {
    const home = temporaryFolder();
    const file = join(temporaryFolder(), "plugins", "debug-bridge.js");
    await cli(home, "hook", "install", "opencode", "--file", file);
    expect((await cli(home, "hook", "status", "opencode", "--file", file)).stdout).toContain("installed in");
    await cli(home, "hook", "uninstall", "opencode", "--file", file);
    expect(existsSync(file)).toBe(false);
  });
});
