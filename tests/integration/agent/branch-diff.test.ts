import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { cli, eventsOf, startAgent } from "../../support/agents/agents.js";

const turns = [
  { tool: "write_file", input: { path: "a.txt", content: "one" } },
  { tool: "read_file", input: { path: "a.txt" } },
  { text: "done" },
];

describe("a branch", () => {
  it("is another run from a checkpoint, and what it did differently can be seen", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns, ["--pause"]);
    await cli(home, "agent", "checkpoint", "start");
    const branched = JSON.parse(
      (await cli(home, "agent", "branch", "start", "-s", agent.id, "--json")).stdout,
    );
    expect(branched).toMatchObject({ success: true, data: { checkpoint: "cp-1" } });
    const { session } = branched.data;
    expect((await agent.seen("branch")).data).toEqual({ checkpoint: "cp-1", session });
    await cli(home, "agent", "resume", "-s", agent.id);
    await agent.seen("session_end");
    expect(agent.child.exitCode).toBeNull();

    await cli(home, "agent", "breakpoint", "add", "tool", "write_file", "-s", session);
    await cli(home, "agent", "resume", "-s", session);
    const folder = agent.folder.replace(agent.id, session);
    await until(() => eventsOf(folder).some(({ type }) => type === "breakpoint_hit"));
    await cli(home, "agent", "set", "input.content", "two", "-s", session);
    await cli(home, "agent", "resume", "-s", session);
    expect((await agent.finished).code).toBe(0);

    const { stdout } = await cli(home, "agent", "diff", agent.id, session, "--json");
    const found = JSON.parse(stdout);
    expect(found.same).toBeGreaterThan(3);
    expect(found.onlyFirst.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ["tool_call_start", { name: "write_file", input: { path: "a.txt", content: "one" } }],
      ["tool_result", { name: "read_file", result: "one", isError: false }],
    ]);
    expect(found.onlySecond).toHaveLength(2);
    expect(found.divergence).toMatchObject({
      first: { type: "tool_call_start", data: { input: { content: "one" } } },
      second: { type: "tool_call_start", data: { input: { content: "two" } } },
    });
    const text = (await cli(home, "agent", "diff", agent.id, session)).stdout;
    expect(text).toMatch(/^- #\d+ tool_call_start .*"one"/m);
    expect(text).toMatch(/^\+ #\d+ tool_call_start .*"two"/m);
    expect((await cli(home, "agent", "diff", session, session)).stdout).toMatch(/^ {2}\d+ steps the same\n$/);
  });

  it("needs an existing checkpoint, and diff needs two recordings", async () => {
    const home = temporaryFolder();
    await startAgent(home, turns, ["--pause"]);
    expect(await cli(home, "agent", "branch", "cp-1")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('checkpoint "cp-1" does not exist'),
    });
    expect((await cli(home, "agent", "diff", "current")).code).toBe(2);
    expect((await cli(home, "agent", "diff", "current", "nowhere")).code).toBe(1);
  });
});
