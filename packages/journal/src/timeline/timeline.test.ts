import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RECORD_KINDS, RECORD_LEVELS } from "@debug-bridge/protocol";
import { countBuckets, PagedTimeline, type RowFilter } from "@debug-bridge/protocol/timeline";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileTimeline } from "./file-timeline.js";

interface Written {
  readonly sequence: number;
  readonly type?: string;
  readonly causedBy?: number;
  readonly data?: unknown;
}

const START = Date.UTC(2026, 0, 1);

function line({
  sequence,
  type = "console",
  causedBy,
  data = { level: "log", text: `line ${sequence}` },
}: Written) {
  const timestamp = new Date(START + sequence * 1_000).toISOString();
  const cause = causedBy === undefined ? {} : { causedBy };
  return `${JSON.stringify({ type, timestamp, sessionId: 'a "quoted" id', sequence, ...cause, data })}\n`;
}

function file(lines: readonly string[]): { path: string; timeline: PagedTimeline; source: FileTimeline } {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "events.jsonl");
  writeFileSync(path, lines.join(""));
  const source = new FileTimeline(path);
  onTestFinished(() => source.close());
  return { path, source, timeline: new PagedTimeline(source) };
}

const click = { type: "command", data: { type: "click", target: { text: "Buy" } } };
const failed = {
  type: "network",
  data: { phase: "response", method: "POST", url: "/api/orders", status: 500 },
};
const SHOP: Written[] = [
  { sequence: 1 },
  { sequence: 2, ...click },
  { sequence: 3, ...failed, causedBy: 2 },
  { sequence: 4, data: { level: "warn", text: "timer" } },
  { sequence: 5, type: "error", causedBy: 2, data: { source: "sdk", text: "TypeError: x\nis undefined" } },
  { sequence: 6, type: "ui_tree", data: { items: [] } },
  { sequence: 7, ...click },
];

describe("a timeline in a file", () => {
  const sequences = async (timeline: PagedTimeline, filter: RowFilter = {}): Promise<number[]> => {
    const { rows, complete } = await timeline.page(filter, { offset: 0 }, 100, 10_000);
    expect(complete).toBe(true);
    return rows.map(
      ({ position, isEffect }) =>
        (timeline.source.columns.sequences[position] as number) * (isEffect ? -1 : 1),
    );
  };
  const kindsWithout = (left: string): boolean[] => RECORD_KINDS.map((kind) => kind !== left);

  it("lists effects below their cause, and folds them", async () => {
    const { timeline, source } = file(SHOP.map(line));
    expect(await sequences(timeline)).toEqual([1, 2, -3, -5, 4, 6, 7]);
    expect(await sequences(timeline, { folded: true })).toEqual([1, 2, 4, 6, 7]);
    expect(await sequences(timeline, { folded: true, except: new Set([2]) })).toEqual([
      1, 2, -3, -5, 4, 6, 7,
    ]);
    expect(await sequences(timeline, { except: new Set([2]) })).toEqual([1, 2, 4, 6, 7]);
    expect(source.columns.effectsOf(1)).toEqual({ all: 2, requests: 0, errors: 2 });
  });

  it("filters by kind, level, text, cause and time", async () => {
    const { timeline } = file(SHOP.map(line));
    expect(await sequences(timeline, { kinds: kindsWithout("dom") })).not.toContain(6);
    expect(await sequences(timeline, { level: RECORD_LEVELS.indexOf("warn") })).toEqual([3, 4, 5]);
    expect(await sequences(timeline, { text: "post /api/orders 500" })).toEqual([3]);
    expect(await sequences(timeline, { text: "x is undefined" })).toEqual([5]);
    expect(await sequences(timeline, { text: "quoted" })).toEqual([]);
    expect(await sequences(timeline, { cause: 2 })).toEqual([2, -3, -5]);
    expect(await sequences(timeline, { from: START + 4_000, to: START + 6_000 })).toEqual([4, 5, 6]);
  });

  it("reads pages from the start, the end, and around a record, with the text of each", async () => {
    const { timeline, source } = file(Array.from({ length: 5_000 }, (_, i) => line({ sequence: i + 1 })));
    while (!(await source.extend(1_000)));
    const end = await timeline.page({}, "end", 10, 10_000);
    expect(end).toMatchObject({ total: 5_000, offset: 4_990, complete: true });
    expect(JSON.parse(source.read(end.rows[9]?.position ?? -1) ?? "")).toMatchObject({ sequence: 5_000 });
    const around = await timeline.page({}, { around: 2_500 }, 10);
    expect(around.rows.map(({ position }) => position)).toContain(2_499);
    expect((await timeline.page({}, { offset: 9_999 }, 10)).rows).toEqual([]);
  });

  it("grows with its file, and keeps what a filter has found", async () => {
    const { path, timeline } = file(SHOP.map(line));
    expect(await sequences(timeline, { text: "timer" })).toEqual([4]);
    const [half, rest] = [
      line({ sequence: 8, data: { level: "log", text: "Timer again" } }),
      line({ sequence: 9 }),
    ];
    appendFileSync(path, half.slice(0, 20));
    expect(await sequences(timeline, { text: "timer" })).toEqual([4]);
    appendFileSync(path, half.slice(20) + rest);
    expect(await sequences(timeline, { text: "timer" })).toEqual([4, 8]);
  });

  it("counts records in equal parts of time", async () => {
    const { source } = file(SHOP.map(line));
    await source.extend(1_000);
    const options = { parts: 2, kinds: RECORD_KINDS.length, error: RECORD_LEVELS.indexOf("error") };
    const { from, to, errors, kinds } = countBuckets(source.columns, options);
    expect([from, to, errors]).toEqual([START + 1_000, START + 7_000, [1, 1]]);
    expect(kinds[RECORD_KINDS.indexOf("console")]).toEqual([1, 1]);
    expect(countBuckets(source.columns, { ...options, from: START, to: START + 2_500 }).errors).toEqual([
      0, 0,
    ]);
  });

  it("leaves out what is not a record, whatever it is", async () => {
    const { timeline } = file([
      "not json\n",
      "[]\n",
      "null\n",
      '{"type":"x"}\n',
      '{"type":"x","timestamp":"never"}\n',
      '{"sequence":5,"timestamp":"2026-01-01T00:00:00.000Z","type":"note","causedBy":-1}\n',
      line({ sequence: 2 }),
      '{"type":"cut off',
    ]);
    // The second has a number below the first: it is numbered on.
    expect(await sequences(timeline)).toEqual([5, 6]);
  });
});
