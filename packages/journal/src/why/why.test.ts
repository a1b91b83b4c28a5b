import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WhyAnswer } from "@debug-bridge/protocol";
import { explain, readEntry, type WhyOptions } from "@debug-bridge/protocol/timeline";
import { afterEach, describe, expect, it } from "vitest";
import { FileTimeline } from "../timeline/file-timeline.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Given {
  readonly type: string;
  readonly data: object;
  /** Seconds after the first record. */
  readonly at?: number;
  readonly causedBy?: number;
}

const START = Date.UTC(2026, 0, 1);

async function timelineOf(records: readonly Given[]): Promise<FileTimeline> {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-why-"));
  folders.push(folder);
  const lines = records.map(({ type, data, at, causedBy }, i) =>
    JSON.stringify({
      ...{ type, sessionId: "s", sequence: i + 1, data },
      timestamp: new Date(START + 1_000 * (at ?? i)).toISOString(),
      ...(causedBy === undefined ? {} : { causedBy }),
    }),
  );
  const file = join(folder, "events.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const timeline = new FileTimeline(file);
  await timeline.extend(1_000);
  return timeline;
}

async function why(
  records: readonly Given[],
  sequence = records.length,
  options?: WhyOptions,
): Promise<WhyAnswer> {
  const timeline = await timelineOf(records);
  return explain(timeline, timeline.columns.positionOf(sequence), options);
}

const click = (text: string): Given => ({
  type: "command",
  data: { type: "click", target: { text }, client: "mcp" },
});
const done = (causedBy: number): Given => ({
  type: "command_result",
  data: { success: true, origin: "app" },
  causedBy,
});
const edit = (file: string): Given => ({
  type: "edit",
  data: { id: "e", files: [file], outcome: "hot_update" },
});
/** An error in cart.js in a listener of a click at this second. */
const error = (at: number, causedBy?: number): Given => ({
  type: "error",
  at,
  data: {
    text: "Uncaught TypeError: x",
    stack: "TypeError: x\n    at total (http://localhost/src/cart.js?t=1:3:4)",
    chain: [
      {
        how: "stack",
        frames: [{ name: "total", url: "http://localhost/src/cart.js?t=1", line: 3, column: 4 }],
      },
      { how: "listener click", frames: [], at: START + 1_000 * at },
    ],
  },
  ...(causedBy === undefined ? {} : { causedBy }),
});
const kinds = ({ links }: WhyAnswer): string[] => links.map(({ kind }) => kind);

describe("the edit that brought an error", () => {
  const broken = [click("Total"), done(1), edit("src/cart.js"), click("Total"), error(4), done(4)];

  it("is a cause when the same action worked before it", async () => {
    const answer = await why(broken, 5);
    expect(kinds(answer)).toEqual(["subject", "listener", "action", "edit"]);
    expect(answer.links.at(-1)).toMatchObject({
      sequence: 3,
      evidence: expect.stringContaining("the same action (#1) ran without this error"),
    });
    expect(answer.unknown).toBeUndefined();
  });

  it("leads to the agent's step that wrote the file", async () => {
    const agent = await timelineOf([
      {
        type: "tool_call_start",
        data: { name: "Edit", input: { file_path: "/home/a/app/src/cart.js" } },
        at: 1,
      },
      {
        type: "tool_call_start",
        data: { name: "Edit", input: { file_path: "/home/a/app/src/smart-cart.js" } },
        at: 2,
      },
    ]);
    const calls = [0, 1].flatMap((at) => readEntry(agent, at) ?? []);
    const answer = await why(broken, 5, { agents: () => [{ sessionId: "agent-1", calls }] });
    expect(kinds(answer).at(-1)).toBe("agent");
    expect(answer.links.at(-1)).toMatchObject({ sessionId: "agent-1", sequence: 1 });
  });

  it("is only possible when the action was never seen to work", async () => {
    const answer = await why([edit("src/cart.js"), click("Total"), error(2), done(2)], 3);
    expect(kinds(answer)).toEqual(["subject", "listener", "action"]);
    expect(answer.couldBe).toMatchObject([{ kind: "edit", sequence: 1 }]);
  });

  it("an edit of another file, or one made when the error already occurred, is not named", async () => {
    const other = await why(
      [click("Total"), done(1), edit("src/list.js"), click("Total"), error(4), done(4)],
      5,
    );
    expect([...kinds(other), ...other.couldBe.map(({ kind }) => kind)]).not.toContain("edit");
    const known = await why(
      [click("Total"), error(1), done(1), edit("src/cart.js"), click("Total"), error(5), done(5)],
      6,
    );
    expect([...kinds(known), ...known.couldBe.map(({ kind }) => kind)]).not.toContain("edit");
  });
});

describe("what cannot be known", () => {
  it("the answer says that no chain was kept", async () => {
    const answer = await why([{ type: "error", data: { text: "x" } }]);
    expect(answer).toMatchObject({ unknown: "no chain was kept when this was recorded", couldBe: [] });
  });

  it("the answer names both actions when two ran at the time of the event", async () => {
    const answer = await why(
      [click("A"), { ...click("B"), at: 0.1 }, error(0.2), { ...done(1), at: 1 }, { ...done(2), at: 1 }],
      3,
    );
    expect(kinds(answer)).toEqual(["subject", "listener"]);
    expect(answer.unknown).toContain("2 actions ran");
    expect(answer.couldBe.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it("the answer names all requests of the same code that were answered together", async () => {
    const frames = [{ name: "load", url: "http://localhost/a.js", line: 2, column: 1 }];
    const asked = (id: string): Given => ({
      type: "network",
      data: {
        id,
        api: "fetch",
        phase: "request",
        method: "GET",
        url: `/${id}`,
        chain: [{ how: "stack", frames }],
      },
      at: 0,
    });
    const answered = (id: string): Given => ({
      type: "network",
      data: { id, api: "fetch", phase: "response", method: "GET", url: `/${id}`, status: 200 },
      at: 1,
    });
    const chain = [
      { how: "stack", frames: [{ ...frames[0], line: 3 }] },
      { how: "await", frames: [] },
    ];
    const records = [asked("a"), asked("b"), answered("a"), answered("b")];
    const answer = await why([...records, { type: "error", data: { text: "x", chain }, at: 1.01 }]);
    expect(answer.unknown).toContain("several requests");
    expect(answer.couldBe.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it("includes an action that only ran at the same time as code that a timer started", async () => {
    const place = { name: "tick", url: "http://localhost/a.js", line: 1, column: 1 };
    const chain = [
      { how: "stack", frames: [place] },
      { how: "setInterval", frames: [place] },
    ];
    const answer = await why([click("A"), { type: "error", data: { text: "x", chain }, causedBy: 1 }]);
    expect(kinds(answer)).toEqual(["subject", "timer"]);
    expect(answer.couldBe).toMatchObject([{ kind: "action", sequence: 1 }]);
  });

  it("is all there is in a file that holds something else than records", async () => {
    const answer = await why([
      { type: "error", data: { text: 1, chain: [null, { how: "await" }, { how: 3 }], stack: {} } },
    ]);
    expect(answer.links).toHaveLength(1);
    expect(answer.unknown).toBeDefined();
  });
});
