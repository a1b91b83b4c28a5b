import { expect, test } from "vitest";
import { Timeline } from "../timeline/timeline.js";
import { HeldRecords } from "./held-records.js";

test("what a page answers after another hub took its session over is neither shown nor acknowledged", async () => {
  const timeline = new Timeline("s");
  const shown: number[] = [];
  const held = new HeldRecords(timeline, ({ sequence }) => shown.push(sequence));
  held.add(timeline.append("command", 1, "{}"), true);
  const waiting = held.settled();
  held.giveUp();
  await expect(waiting).rejects.toMatchObject({ code: "outcome_unknown" });
  // The session has no claim any more, so that nothing would hold it.
  held.add(timeline.append("command_result", 2, "{}"), false);
  await expect(held.settled()).rejects.toMatchObject({ code: "outcome_unknown" });
  expect(shown).toEqual([]);
});
