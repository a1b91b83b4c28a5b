import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, temporaryFolder, until } from "../../fixtures.js";
import { cli, startAgent } from "../../support/agents/agents.js";

const turns = [{ tool: "list_files" }, { tool: "list_files" }, { text: "done" }];

/** `attach` with lines instead of a screen, and somebody who types. */
function attach(
  home: string,
  ...args: string[]
): { output(): string; type(line: string): void; ended(): boolean } {
  const child = spawn(process.execPath, [CLI, "agent", "attach", "--plain", ...args], {
    env: { ...process.env, NO_COLOR: "1", DEBUG_BRIDGE_HOME: home },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return {
    output: () => output,
    type: (line) => child.stdin.write(`${line}\n`),
    ended: () => child.exitCode !== null,
  };
}

describe("before an agent runs", () => {
  it("breakpoints are kept for the agents that start later, and attach waits for one", async () => {
    const home = temporaryFolder();
    const added = await cli(home, "agent", "breakpoint", "add", "tool", "list_files", "--once");
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("for agents that start later") });
    const screen = attach(home, "--wait");
    await until(() => screen.output().includes("waiting for an agent"));
    const first = await startAgent(home, turns);
    const { breakpoint, toolCall } = (await first.seen("breakpoint_hit")).data;
    expect([breakpoint.id, toolCall.name]).toEqual(["bp-1", "list_files"]);
    await until(() => screen.output().includes(`attached to ${first.id}`));
    await until(() => screen.output().includes("breakpoint_hit"));
    screen.type("resume");
    expect((await first.finished).code).toBe(0);
    await until(() => screen.ended());
    const second = await startAgent(home, turns);
    await second.seen("paused");
    await cli(home, "agent", "resume");
    expect((await second.finished).code).toBe(0);
    expect(first.count("paused")).toBe(1);
  });

  it("they are listed, switched off and removed like those of an agent, and a bad one is refused", async () => {
    const home = temporaryFolder();
    const breakpoint = (...words: string[]): ReturnType<typeof cli> =>
      cli(home, "agent", "breakpoint", ...words);
    await breakpoint("add", "tool", "list_files");
    await breakpoint("add", "iteration", "2");
    expect((await breakpoint("list")).stdout).toMatch(/bp-1 {2}tool list_files.*\n.*bp-2 {2}iteration 2/);
    await breakpoint("disable", "bp-1");
    await breakpoint("clear", "bp-2");
    const agent = await startAgent(home, turns);
    expect((await agent.finished).code).toBe(0);
    expect(agent.count("paused")).toBe(0);
    expect((await breakpoint("add", "tool", "x", "--condition", "input ==")).code).toBe(1);
    expect((await breakpoint("clear", "bp-9")).stderr).toContain("existing breakpoints: bp-1");
    expect((await breakpoint("clear-all")).stdout).toContain("1 removed");
  });

  it("a pause is for the next agent only, and resume takes it back", async () => {
    const home = temporaryFolder();
    await cli(home, "agent", "pause");
    const first = await startAgent(home, turns);
    await first.seen("paused");
    await cli(home, "agent", "resume");
    expect((await first.finished).code).toBe(0);
    const second = await startAgent(home, turns);
    expect((await second.finished).code).toBe(0);
    await cli(home, "agent", "pause");
    expect((await cli(home, "agent", "resume")).code).toBe(0);
    expect((await cli(home, "agent", "resume")).code).toBe(1);
    const third = await startAgent(home, turns);
    expect((await third.finished).code).toBe(0);
    expect([second.count("paused"), third.count("paused")]).toEqual([0, 0]);
  });

  it("--later leaves the running agent alone", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns, ["--pause"]);
    await agent.seen("paused");
    await cli(home, "agent", "breakpoint", "add", "tool", "list_files", "--later");
    expect((await cli(home, "agent", "breakpoint", "list")).stdout).toContain("none");
    await cli(home, "agent", "resume");
    expect((await agent.finished).code).toBe(0);
    expect((await cli(home, "agent", "breakpoint", "list", "--later")).stdout).toContain("bp-1");
    expect((await cli(home, "agent", "breakpoint", "list", "--later", "-s", agent.id)).code).toBe(2);
  });

  it.each(["{", "[]", '{"breakpoints":[null,{"id":"bp-1","spec":{"on":"moon"}}],"added":"x"}'])(
    "a file with %s harms no agent",
    async (text) => {
      const home = temporaryFolder();
      await cli(home, "agent", "pause");
      writeFileSync(join(debugPaths(home).debug, "later.json"), text);
      const agent = await startAgent(home, turns);
      expect((await agent.finished).code).toBe(0);
    },
  );
});
