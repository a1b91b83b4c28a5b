import { expect, test } from "vitest";
import { Timeline } from "../../timeline/timeline.js";
import { HeldRecords, type Hold } from "./held-records.js";

function heldRecords() {
  const timeline = new Timeline("s");
  const shown: number[] = [];
  const storage: { hold: Hold; isFull: boolean; stored: string[] } = {
    ...{ hold: "readers and answers", isFull: false, stored: [] },
  };
  const held = new HeldRecords(timeline, {
    isFull: () => storage.isFull,
    store(entry) {
      storage.stored.push(entry.type);
      return storage.hold;
    },
    publish: ({ sequence }) => shown.push(sequence),
  });
  return { timeline, shown, storage, held };
}

test("what a page answers after another hub took its session over is neither shown nor acknowledged", async () => {
  const { held, shown, storage } = heldRecords();
  held.append("command", 1, "{}");
  const waiting = held.settled();
  held.giveUp();
  await expect(waiting).rejects.toMatchObject({ code: "outcome_unknown" });
  // The session has no claim left, so that nothing would hold it.
  storage.hold = "nobody";
  held.append("command_result", 2, "{}");
  await expect(held.settled()).rejects.toMatchObject({ code: "outcome_unknown" });
  expect(shown).toEqual([]);
});

test("while nothing is stored, answers go and readers see neither records nor their numbers", async () => {
  const { held, shown, storage, timeline } = heldRecords();
  held.append("command", 1, "{}");
  const waiting = held.settled();
  expect(held.delayed).toBe(0);
  held.answer(1);
  await waiting;
  storage.hold = "readers";
  held.append("console", 2, "{}");
  expect(held.settled()).toBeUndefined();
  expect(held.delayed).toBe(2);
  expect({ shown, sequence: timeline.sequence, read: timeline.readSince(0).entries }).toEqual({
    ...{ shown: [], sequence: 0, read: [] },
  });
  held.release(1);
  // What is stored does not make answers wait again for the rest.
  expect(held.settled()).toBeUndefined();
  expect(held.delayed).toBe(1);
  held.release(2);
  expect(held.delayed).toBe(0);
  expect(shown).toEqual([1, 2]);
  expect(timeline.readSince(0).entries.map(({ type }) => type)).toEqual(["command", "console"]);
});

test("records that cannot wait to be stored are counted in one gap record, in their place", () => {
  const { held, storage, timeline } = heldRecords();
  held.append("console", 1, "{}");
  storage.isFull = true;
  const numbers = [2, 3, 4].map((at) => held.append("console", at, "{}").sequence);
  storage.isFull = false;
  held.append("console", 5, "{}");
  held.release(3);
  expect(numbers).toEqual([2, 2, 2]);
  expect(storage.stored).toEqual(["console", "gap", "console"]);
  const read = timeline.readSince(0).entries.map(({ type, sequence, json }) => ({ type, sequence, json }));
  expect(read.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(JSON.parse(read[1]?.json ?? "")).toMatchObject({ dropped: 3 });
});
