import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { cli, eventsOf, type RunningAgent, startAgent } from "../../support/agents/agents.js";

const read = (path: string): object => ({ tool: "read_file", input: { path } });
const turns = [read("a.txt"), read("b.txt"), read("c.txt"), { text: "done" }];

type Give = (...words: string[]) => Promise<Awaited<ReturnType<typeof cli>>>;
const giveTo =
  (home: string, id: string): Give =>
  (...words) =>
    cli(home, "agent", ...words, "-s", id);

// biome-ignore lint/suspicious/noExplicitAny: the state of an agent.
const stateOf = async (give: Give): Promise<any> => JSON.parse((await give("inspect", "--json")).stdout).data;

/** An agent that read a.txt, and is paused before its second iteration with a checkpoint there. */
async function atCheckpoint(home: string): Promise<{ agent: RunningAgent; give: Give }> {
  const agent = await startAgent(home, turns, ["--pause"]);
  const give = giveTo(home, agent.id);
  await agent.seen("paused");
  await give("set", "colour", "red");
  await give("step");
  await agent.seen("step_complete");
  await agent.seen("paused", 2);
  expect((await give("checkpoint", "second")).code).toBe(0);
  return { agent, give };
}

describe("rewind", () => {
  it("restores iteration, variables and working set, before a model call and at a held tool", async () => {
    const home = temporaryFolder();
    const { agent, give } = await atCheckpoint(home);
    const before = await stateOf(give);
    expect(before).toMatchObject({ iteration: 2, variables: { colour: "red" }, workingSet: ["a.txt"] });
    await give("set", "colour", "blue");
    await give("set", "size", "9");
    await give("set", "maxIterations", "3");
    await give("step");
    await agent.seen("paused", 3);
    expect(await stateOf(give)).toMatchObject({ iteration: 3, workingSet: ["a.txt", "b.txt"] });
    await give("rewind", "second");
    const { iteration, variables, workingSet, messages } = await stateOf(give);
    expect({ iteration, variables, workingSet }).toEqual({
      iteration: 2,
      variables: { colour: "red" },
      workingSet: ["a.txt"],
    });
    expect(messages.count).toBe(before.messages.count);
    await give("breakpoint", "add", "tool", "read_file", "--once");
    await give("resume");
    await agent.seen("breakpoint_hit");
    await agent.seen("paused", 4);
    await give("rewind", "second");
    await give("resume");
    expect((await agent.finished).code).toBe(0);
    const requests = agent.events().filter(({ type }) => type === "api_request");
    expect(requests.map(({ data }) => data.iteration)).toEqual([1, 2, 2, 2, 3, 4]);
    expect(agent.events().filter(({ type }) => type === "rewind")).toMatchObject([
      { data: { iteration: 2 } },
      { data: { checkpoint: "cp-1" } },
    ]);
  });
});

describe("a branch", () => {
  it("inherits breakpoints, checkpoints and variables", async () => {
    const home = temporaryFolder();
    const { agent, give } = await atCheckpoint(home);
    await give("breakpoint", "add", "pattern", "c.txt");
    await give("breakpoint", "add", "tool", "write_file");
    await give("breakpoint", "disable", "bp-2");
    const { session } = JSON.parse((await give("branch", "second", "--json")).stdout).data;
    const inBranch = giveTo(home, session);
    const { breakpoints } = JSON.parse((await inBranch("breakpoint", "list", "--json")).stdout).data;
    expect(breakpoints).toMatchObject([
      { id: "bp-1", condition: "c.txt", hits: 0, enabled: true },
      { id: "bp-2", enabled: false },
    ]);
    expect(await stateOf(inBranch)).toMatchObject({ variables: { colour: "red" }, workingSet: ["a.txt"] });
    await inBranch("resume");
    const events = (): ReturnType<typeof eventsOf> => eventsOf(agent.folder.replace(agent.id, session));
    const seen = (type: string, count: number): Promise<unknown> =>
      until(() => events().filter((event) => event.type === type).length >= count);
    await seen("breakpoint_hit", 1);
    await seen("paused", 2);
    expect((await inBranch("rewind", "second")).code).toBe(0);
    await inBranch("resume");
    await seen("breakpoint_hit", 2);
    await inBranch("breakpoint", "clear-all");
    await inBranch("resume");
    await give("breakpoint", "clear-all");
    await give("resume");
    expect((await agent.finished).code).toBe(0);
    expect(events().at(-1)?.type).toBe("session_end");
  });
});

describe("inspect", () => {
  it("shows what is held, its id, why, and the input that it will get", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, turns, ["--pause"]);
    const give = giveTo(home, agent.id);
    await agent.seen("paused");
    await give("breakpoint", "add", "tool", "read_file", "--once");
    await give("resume");
    await agent.seen("paused", 2);
    expect((await give("inspect")).stdout).toMatch(
      /paused: breakpoint bp-1\n[\s\S]*held +read_file call_1 .*a\.txt/,
    );
    await give("set", "input.path", "z.txt");
    expect((await give("inspect", "tools")).stdout).toMatch(
      /held +read_file call_1 \{"path":"z.txt"\} \(edited\)/,
    );
    expect(await stateOf(give)).toMatchObject({
      pauseReason: "breakpoint bp-1",
      held: [{ toolId: "call_1", name: "read_file", input: { path: "z.txt" }, changed: true }],
    });
    await give("resume");
    expect((await agent.finished).code).toBe(0);
  });
});
