import { join } from "node:path";
import { readIndex } from "@debug-bridge/journal";
import { describe, expect, it } from "vitest";
import { type Finished, ROOT, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { type AgentEvent, cli, eventsOf, startAgent } from "../../support/agents/agents.js";
import { testHub } from "../../support/hub/hub.js";
import { listed, timeline } from "../../support/hub/hub-sessions.js";

const CODI = join(ROOT, "tests/support/agents/codi-stand-in.mjs");

interface RunningCodi extends Started {
  readonly root: string;
  readonly id: string;
  readonly home: string;
  events(): AgentEvent[];
  give(...words: string[]): Promise<Finished>;
}

/** Starts codi, paused before its first turn. */
async function startCodi(rootName = ".codi", turns = 3): Promise<RunningCodi> {
  const home = temporaryFolder();
  const root = join(temporaryFolder(), rootName);
  const started = start(process.execPath, [CODI, root, String(turns)]);
  const { id } = await until(() => readIndex(root)[0]);
  const events = (): AgentEvent[] => eventsOf(join(root, "debug/sessions", id));
  await until(() => events().some(({ type }) => type === "paused"));
  return {
    ...started,
    root,
    id,
    home,
    events,
    give: (...words) => cli(home, "agent", ...words, "--dir", root),
  };
}

const isRefused = (events: readonly AgentEvent[]): boolean =>
  events.some(({ type, data }) => type === "error" && data.context === "command_handler");

describe("codi", () => {
  it.each([".codi", "elsewhere"])(
    "in a folder named %s is debugged with its own command names",
    async (name) => {
      const codi = await startCodi(name);
      const added = JSON.parse((await codi.give("breakpoint", "add", "tool", "bash", "--json")).stdout);
      expect(added).toMatchObject({
        success: true,
        type: "breakpoint",
        data: { id: "bp_1", breakpoint: { type: "tool", condition: "bash" } },
      });
      const { stdout } = await codi.give("checkpoint", "start");
      expect(stdout).toContain("cp_1");
      await codi.give("resume");
      await until(() => codi.events().some(({ type }) => type === "breakpoint_hit"));
      expect((await codi.give("breakpoint", "list")).stdout).toMatch(/bp_1 {2}tool bash .*1 hits/);
      expect((await codi.give("inspect")).stdout).toMatch(/iteration +1, paused/);
      expect((await codi.give("inject", "user", "Hello")).code).toBe(0);
      expect((await codi.give("rewind", "cp_1")).code).toBe(0);
      expect((await codi.give("branch", "cp_1")).stdout).toContain("from-cp_1");
      expect((await codi.give("breakpoint", "clear", "bp_1")).code).toBe(0);
      expect((await codi.give("step")).code).toBe(0);
      await until(() => codi.events().some(({ type }) => type === "step_complete"));
      await codi.give("resume");
      expect((await codi.finished).code).toBe(0);
      // Elsewhere it is only known to be codi once it has refused a command.
      expect(isRefused(codi.events())).toBe(name !== ".codi");
    },
  );

  it.each([
    [["set", "maxIterations", "5"], "codi cannot set"],
    [["cancel", "t1"], "codi cannot cancel"],
    [["breakpoint", "disable", "bp_1"], "codi cannot switch"],
    [["breakpoint", "add", "tool", "bash", "--once"], "codi has no breakpoints with once"],
    [["breakpoint", "clear", "bp_9"], "codi did not do it"],
    [["rewind", "cp_9"], "codi did not do it"],
  ])("shows what it cannot do as refused: %j", async (words, why) => {
    const codi = await startCodi();
    expect(await codi.give(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
  });

  it("is followed by a hub from its first event to its last, and controlled through it", async () => {
    const codi = await startCodi();
    const hub = await testHub({ home: codi.home, agentDirs: [codi.root] });
    await listed(hub, codi.id);
    const command = async (type: string, data: object): Promise<object> => {
      const body = JSON.stringify({ type, data });
      return (
        await hub.api(`/v1/sessions/${codi.id}/commands`, { method: "POST", body })
      ).json() as Promise<object>;
    };
    expect(await command("breakpoint", { action: "add", on: "tool", name: "bash" })).toMatchObject({
      success: true,
      value: { id: "bp_1", breakpoint: { type: "tool", condition: "bash" } },
    });
    expect(await command("cancel_tool", { toolId: "t1" })).toMatchObject({
      success: false,
      error: "not_supported",
      message: expect.stringContaining("codi cannot cancel"),
    });
    expect(await command("breakpoint", { action: "clear-all" })).toMatchObject({ value: { cleared: 1 } });
    await command("resume", {});
    await codi.finished;
    await until(async () => !(await listed(hub, codi.id)).connected);
    const types = (records: readonly { type: string }[]): string[] => records.map(({ type }) => type);
    // What codi never got is recorded by the hub.
    const byHub = ["command", "command_result"];
    const records = types(await timeline(hub, codi.id));
    expect(records.filter((type) => byHub.includes(type))).toEqual(byHub);
    expect(records.filter((type) => !byHub.includes(type))).toEqual(types(codi.events()));
    expect(types(codi.events())).toContain("assistant_thinking");
  });

  it("is listed, shown and honestly replayed after its end", async () => {
    const codi = await startCodi();
    await codi.give("resume");
    await codi.finished;
    const { sessions } = JSON.parse(
      (await cli(codi.home, "sessions", "--all", "--dir", codi.root, "--json")).stdout,
    );
    expect(sessions).toMatchObject([{ id: codi.id, connected: false, model: "m" }]);
    const shown = (await codi.give("replay", codi.id, "--json")).stdout.trim().split("\n");
    expect(shown).toHaveLength(codi.events().length);
    const replayed = await codi.give("run", "--replay", codi.id);
    expect(replayed.stderr).not.toMatch(/^the same as recorded$/m);
    expect(replayed.stderr).toMatch(/no messages|ends|differs/);
  });

  it("finds its own names understood by the agents of Debug Bridge", async () => {
    const home = temporaryFolder();
    const agent = await startAgent(home, [{ tool: "list_files" }, { text: "done" }], ["--pause"]);
    await agent.seen("paused");
    const { appendCommand } = await import("@debug-bridge/journal");
    const give = async (type: string, data: object): Promise<AgentEvent["data"]> => {
      const id = `${type}-${agent.count("command_response")}`;
      appendCommand(agent.folder, { type, id, data });
      const answer = await until(() =>
        agent.events().find((event) => event.type === "command_response" && event.data.commandId === id),
      );
      return answer.data;
    };
    expect(await give("breakpoint_add", { type: "tool", condition: "list_files" })).toMatchObject({
      type: "breakpoint_add",
      success: true,
      data: { id: "bp-1", bpType: "tool", condition: "list_files" },
    });
    expect((await give("breakpoint_list", {})).data.breakpoints).toMatchObject([{ id: "bp-1", hitCount: 0 }]);
    const checkpoint = (await give("checkpoint_create", { label: "here" })).data;
    expect(checkpoint).toMatchObject({ id: "cp-1", label: "here" });
    expect((await give("rewind", { checkpointId: "cp-1" })).data).toEqual({
      checkpointId: "cp-1",
      success: true,
    });
    expect((await give("breakpoint_remove", { id: "bp-1" })).data).toEqual({ id: "bp-1", removed: true });
    expect((await give("breakpoint_clear", {})).data).toEqual({ cleared: 0 });
    expect(await give("breakpoint_add", { type: "moon" })).toMatchObject({ success: false });
    await cli(home, "agent", "resume");
    expect((await agent.finished).code).toBe(0);
  });
});
