import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@debug-bridge/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTranscript, TranscriptWriter } from "./transcript.js";
import { createUlid, isUlid } from "./ulid.js";

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
