import { timelineRecordSchema } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordJson, Timeline } from "./timeline.js";

describe("a timeline", () => {
  it("gives every reader all later records, or reports exactly how many are gone", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 60 }), { maxLength: 300 }),
        fc.nat({ max: 320 }),
        fc.integer({ min: 1, max: 40 }),
        (sizes, since, limit) => {
          const timeline = new Timeline("s", { entries: 50, characters: 3_000 });
          for (const size of sizes) timeline.append("x", 1, JSON.stringify("y".repeat(size)));
          const { entries, gap } = timeline.readSince(since, limit);
          const first = entries[0]?.sequence;
          expect(entries.length).toBeLessThanOrEqual(limit);
          expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, i) => (first ?? 0) + i));
          if (since >= sizes.length) expect(entries).toEqual([]);
          else if (first !== undefined) expect(first).toBe((gap?.to ?? since) + 1);
          if (gap) expect(gap.dropped).toBe((gap.to ?? 0) - since);
        },
      ),
    );
  });

  it("gets older records before those that it has, within its bounds, whenever they come", () => {
    fc.assert(
      fc.property(fc.nat({ max: 80 }), fc.nat({ max: 80 }), fc.nat({ max: 80 }), (before, known, after) => {
        const all = new Timeline("s", { entries: 100, characters: 1_000_000 });
        for (let i = 0; i < before + after; i++) all.append("x", i, String(i));
        const other = new Timeline("s");
        for (let i = 0; i < before; i++) other.append("x", i, String(i));
        const stored = other.readSince(0).entries;
        const timeline = new Timeline("s", { entries: 100, characters: 1_000_000 });
        timeline.restore(stored.slice(before - Math.min(known, before)));
        timeline.beginAfter(before);
        for (let i = 0; i < after; i++) timeline.append("x", before + i, String(before + i));
        timeline.restore(stored);
        expect(timeline.readSince(0)).toEqual(all.readSince(0));
        expect([timeline.sequence, timeline.oldest, timeline.measure()]).toEqual([
          ...[all.sequence, all.oldest, all.measure()],
        ]);
        if (after > 0) expect(timeline.newestAt).toBe(all.newestAt);
        expect(timeline.append("x", 1, "1").sequence).toBe(before + after + 1);
      }),
    );
  });

  it("stays within its bounds, and always keeps the newest", () => {
    const timeline = new Timeline("s", { entries: 10, characters: 1_000 });
    for (let i = 0; i < 10_000; i++) timeline.append("x", i, JSON.stringify("y".repeat(i % 200)));
    timeline.append("big", 1, JSON.stringify("z".repeat(50_000)));
    const { entries } = timeline.readSince(0);
    expect(entries.map(({ type }) => type)).toEqual(["big"]);
    expect(timeline.sequence).toBe(10_001);
  });

  it("writes valid records whatever the clock of a page is set to", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true }), fc.string(), fc.jsonValue(), (at, type, data) => {
        fc.pre(type !== "");
        const record = JSON.parse(
          recordJson('a "session"', {
            type,
            at,
            sequence: 1,
            json: JSON.stringify(data),
            causedBy: undefined,
            source: "",
          }),
        );
        expect(timelineRecordSchema.safeParse(record).success).toBe(true);
        expect(record.data).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });
});
