import { expect, test } from "vitest";
import { type Backlog, FairTurns, TurnShare } from "./fair-turns.js";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A peer that has some messages waiting, each of cost 1. */
class Sender implements Backlog {
  readonly share = new TurnShare();
  handled = 0;
  constructor(public waiting: number) {}
  runNext(): number | undefined {
    if (this.waiting === 0) return undefined;
    this.waiting--;
    this.handled++;
    return 1;
  }
}

test("one connection gets its part of a turn, and others are served in the same turn", async () => {
  const turns = new FairTurns();
  const [flooder, other] = [new TurnShare(), new TurnShare()];
  let admitted = 0;
  while (turns.admits(flooder, 1)) admitted++;
  expect(admitted).toBe(128);
  expect(turns.admits(other, 1)).toBe(true);
  await nextTurn();
  expect(turns.admits(flooder, 1)).toBe(true);
});

test("when all connections together had enough, each still gets a few messages", () => {
  const turns = new FairTurns();
  for (let i = 0; i < 10; i++) {
    const share = new TurnShare();
    while (turns.admits(share, 1));
  }
  const late = new TurnShare();
  let admitted = 0;
  while (turns.admits(late, 1)) admitted++;
  expect(admitted).toBe(8);
});

test("what waits is handled over several turns, side by side", async () => {
  const turns = new FairTurns();
  const senders = [new Sender(1_000), new Sender(10)];
  for (const sender of senders) turns.enqueue(sender, sender.share);
  await nextTurn();
  expect(senders.map(({ handled }) => handled)).toEqual([128, 10]);
  while (senders[0]?.waiting) await nextTurn();
  expect(senders.map(({ handled }) => handled)).toEqual([1_000, 10]);
});
