import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PendingEvents } from "./pending.js";

const numbers = (events: PendingEvents, after?: number) =>
  [...events.runs(after)].flatMap(({ first, list }) => list.map((_, i) => first + i));

describe("PendingEvents", () => {
  it("numbers events, and forgets those that arrived", () => {
    const events = new PendingEvents();
    for (const text of ["0a", "0b", "0c"]) events.add(text);
    expect([...events.runs()]).toEqual([{ first: 1, list: ["0a", "0b", "0c"] }]);
    events.confirm(2);
    expect([...events.runs()]).toEqual([{ first: 3, list: ["0c"] }]);
    expect(events.add("0d")).toBe(4);
    events.confirm(9);
    expect(events.isEmpty).toBe(true);
  });

  it("drops logs before errors when it is full, and counts them", () => {
    const events = new PendingEvents();
    events.add("1error");
    for (let i = 0; i < 1_100; i++) events.add("0log");
    expect(events.drainDropped()).toBe(101);
    expect(events.drainDropped()).toBe(0);
    expect(numbers(events).slice(0, 2)).toEqual([1, 103]);
  });

  it("keeps order and numbers, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom("0", "1"), fc.nat(30))), (steps) => {
        const events = new PendingEvents();
        let added = 0;
        let confirmed = 0;
        for (const step of steps) {
          if (typeof step === "string") expect(events.add(step)).toBe(++added);
          else {
            events.confirm(step);
            confirmed = Math.max(confirmed, Math.min(step, added));
          }
        }
        expect(numbers(events)).toEqual(
          Array.from({ length: added - confirmed }, (_, i) => confirmed + 1 + i),
        );
      }),
    );
  });
});
