import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedQueue } from "./bounded-queue.js";

const length = (text: string): number => text.length;
const queueOf = (maxItems: number, maxSize = 1_000): BoundedQueue<string> =>
  new BoundedQueue({ maxItems, maxSize });
const texts = (queue: BoundedQueue<string>, seq = 0): string[] =>
  queue.after(seq).items.map(({ item }) => item);

test("numbers items from 1 and keeps them until they are confirmed", () => {
  const queue = queueOf(10);
  for (const text of ["a", "b", "c"]) queue.add((seq) => `${text}${seq}`, length);
  queue.confirm(1);
  expect(texts(queue)).toEqual(["b2", "c3"]);
  expect(queue.lastSeq).toBe(3);
});

test("drops the oldest item that is not urgent first, and counts it", () => {
  const queue = queueOf(2);
  queue.add(() => "error", length, true);
  queue.add(() => "log", length);
  queue.add(() => "newest", length);
  expect(texts(queue)).toEqual(["error", "newest"]);
  expect(queue.drainDropped()).toBe(1);
  expect(queue.drainDropped()).toBe(0);
});

test("reports which numbers a late peer can no longer get", () => {
  const queue = queueOf(2);
  for (const text of ["a", "b", "c"]) queue.add(() => text, length);
  expect(queue.after(0).lost).toEqual({ from: 1, to: 1 });
  expect(queue.after(1).lost).toBeUndefined();
});

test("stays within its limits and always keeps the newest item", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.boolean()), { minLength: 1 }), (added) => {
      const queue = queueOf(5, 20);
      for (const [text, urgent] of added) queue.add(() => text, length, urgent);
      const kept = texts(queue);
      expect(kept.length).toBeLessThanOrEqual(5);
      expect(kept.length === 1 || kept.join("").length <= 20).toBe(true);
      expect(kept.at(-1)).toBe(added.at(-1)?.[0]);
    }),
  );
});
