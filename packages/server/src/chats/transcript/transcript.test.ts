import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLines } from "@debug-bridge/journal";
import type { RunEvent } from "@debug-bridge/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUlid, isUlid } from "../store/ulid.js";
import { offsetAfter, readTranscript, readTranscriptBackward, TranscriptWriter } from "./transcript.js";
import { type EarlierPage, pageBefore } from "./transcript-page.js";

const CHAT = createUlid();
const RUN = createUlid();
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-chat-"));
  file = join(folder, "transcript.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const events = (): RunEvent[] => [...readTranscript(file, CHAT)];
const texts = (): string[] =>
  events().flatMap((each) => (each.event === "run.delta" ? [each.payload.text] : []));

function write(...deltas: string[]): void {
  const writer = new TranscriptWriter(file, CHAT);
  for (const text of deltas) writer.append(RUN, { event: "run.delta", payload: { text } });
  writer.close();
}

describe("a transcript", () => {
  it("is whole after its writer was killed at any byte: nothing lost, nothing repeated, numbers without a gap", () => {
    write("one", "zwei ✓", "three\nlines");
    const whole = readFileSync(file);
    const ends = [...whole].flatMap((byte, at) => (byte === 0x0a ? [at + 1] : []));
    for (let bytes = 0; bytes <= whole.length; bytes++) {
      writeFileSync(file, whole);
      truncateSync(file, bytes);
      write("after");
      // A line counts when all of it is there; its line end may be missing.
      const kept = ends.filter((end) => end - 1 <= bytes).length;
      expect(texts(), `cut at ${bytes}`).toEqual([
        ...["one", "zwei ✓", "three\nlines"].slice(0, kept),
        "after",
      ]);
      expect(events().map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: kept + 1 }, (_, i) => i + 1),
      );
    }
  });

  it("names the run that has no end", () => {
    write("one");
    const writer = new TranscriptWriter(file, CHAT);
    expect(writer.openRun).toBe(RUN);
    writer.append(RUN, { event: "run.stopped", payload: { reason: "interrupted" } });
    writer.close();
    const next = new TranscriptWriter(file, CHAT);
    expect(next.openRun).toBeUndefined();
    next.close();
  });

  it("leaves out events of other chats, repeated numbers and lines that are no events", () => {
    write("one");
    const [line = ""] = readFileSync(file, "utf8").split("\n");
    const other = line.replace(CHAT, createUlid()).replace('"sequence":1', '"sequence":2');
    writeFileSync(file, `${line}\n${other}\n${line}\nnull\n{"event":"run.delta"}\n`);
    write("two");
    expect(texts()).toEqual(["one", "two"]);
  });
});

describe("a long transcript", () => {
  /** Runs of different lengths, with lines of different lengths and torn ones among them. */
  function writeRuns(count: number): number {
    let sequence = 0;
    const lines: string[] = [];
    const add = (event: string, payload: object): void => {
      const timestamp = "2026-01-01T00:00:00.000Z";
      const full = { event, runId: RUN, sessionId: CHAT, sequence: ++sequence, timestamp, payload };
      lines.push(JSON.stringify(full));
      if (sequence % 97 === 0) lines.push('{"event":"run.delta","runId":"torn');
    };
    for (let run = 0; run < count; run++) {
      add("run.started", { message: `message ${run}`, provider: "test" });
      for (let i = 0; i < run % 7; i++) add("run.delta", { text: "x".repeat((run * 131 + i) % 3_000) });
      add("run.finished", { outcome: "done" });
    }
    writeFileSync(file, `${lines.join("\n")}\n`);
    return sequence;
  }

  it("is read after any event without those before it", () => {
    const last = writeRuns(400);
    const all = events();
    expect(all).toHaveLength(last);
    for (const since of [0, 1, 2, 500, 999, last - 1, last, last + 10]) {
      expect([...readTranscript(file, CHAT, since)], `since ${since}`).toEqual(all.slice(since));
      const lines = [...readLines(file, offsetAfter(file, CHAT, since))];
      const skipped = lines.findIndex(({ text }) => text === JSON.stringify(all[since]));
      // Nothing but what a killed writer left comes before the first event that is wanted.
      if (since < last) expect(skipped).toBeLessThanOrEqual(1);
    }
    expect([...readTranscriptBackward(file, CHAT, 700)]).toEqual(all.slice(0, 699).reverse());
  });

  it("comes in pages that join without a gap, each from the beginning of a run on", () => {
    const last = writeRuns(400);
    for (const limit of [1, 20, 200]) {
      const pages: EarlierPage[] = [];
      for (let before: number | null | undefined; before !== null; before = pages[0]?.earlier)
        pages.unshift(pageBefore(readTranscriptBackward(file, CHAT, before), limit));
      expect(pages.flatMap((page) => page.events.map(({ sequence }) => sequence))).toEqual(
        Array.from({ length: last }, (_, i) => i + 1),
      );
      for (const { events: page } of pages) {
        // A run here has at most 8 events.
        if (limit > 1) expect(page[0]?.event).toBe("run.started");
        expect(page.length).toBeLessThanOrEqual(limit + 8);
      }
    }
  });

  it("is cut within a run that is longer than four pages", () => {
    write(...Array.from({ length: 100 }, (_, i) => String(i)));
    const page = pageBefore(readTranscriptBackward(file, CHAT), 10);
    expect(page.events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10 }, (_, i) => 91 + i));
    expect(page.earlier).toBe(91);
    expect(pageBefore(readTranscriptBackward(file, CHAT, 31), 10).earlier).toBe(null);
  });
});

describe("a ULID", () => {
  it("is new every time and sorts by time [REL-052]", () => {
    const ids = Array.from({ length: 1_000 }, () => createUlid());
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every(isUlid)).toBe(true);
    expect(createUlid(1) < createUlid(2)).toBe(true);
    expect(createUlid(Date.UTC(2026, 0, 1)) < createUlid(Date.UTC(2027, 0, 1))).toBe(true);
    for (const wrong of [
      "",
      "..",
      "../../etc/passwd",
      ids[0]?.toLowerCase() ?? "",
      `${ids[0]}/`,
      `${ids[0]}\n`,
    ])
      expect(isUlid(wrong)).toBe(false);
  });
});
