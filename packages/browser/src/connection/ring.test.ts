import fc from "fast-check";
import { expect, test } from "vitest";
import { Ring } from "./ring.js";

test("after any number, what is held and what is lost together are everything", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(60),
      (count, capacity, seen) => {
        const ring = new Ring(capacity);
        for (let i = 0; i < count; i++) ring.add((seq) => `message ${seq}`);
        const known = Math.min(seen, count);
        const { messages, lost } = ring.after(known);
        const numbers = [...(lost ? range(lost.from, lost.to) : []), ...messages.map(({ seq }) => seq)];
        expect(numbers).toEqual(range(known + 1, count));
        expect(messages.length).toBeLessThanOrEqual(capacity);
      },
    ),
  );
});

test("length is bounded too, but the newest message is always held", () => {
  const ring = new Ring(100, 10);
  ring.add(() => "12345678");
  ring.add(() => "x".repeat(50));
  expect(ring.after(0)).toMatchObject({ messages: [{ seq: 2 }], lost: { from: 1, to: 1 } });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
