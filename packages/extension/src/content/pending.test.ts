import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PendingEvents } from "./pending.js";

const flat = (events: PendingEvents, from?: number) =>
  [...events.runs(from)].flatMap(({ first, list }) => list.map((_, i) => first + i));

describe("PendingEvents", () => {
  it("numbers events, and forgets those that arrived", () => {
    const events = new PendingEvents();
    for (const text of ["0a", "0b", "0c"]) events.add(text);
    expect([...events.runs()]).toEqual([{ first: 0, list: ["0a", "0b", "0c"] }]);
    events.confirm(1);
    expect([...events.runs()]).toEqual([{ first: 2, list: ["0c"] }]);
    expect(events.add("0d")).toBe(3);
    events.confirm(9);
    expect(events.isEmpty).toBe(true);
  });

  it("loses logs before errors when it is full, and says how many", () => {
    const events = new PendingEvents();
    events.add("1error");
    for (let i = 0; i < 1_100; i++) events.add("0log");
    expect(events.takeLost()).toBe(101);
    expect(events.takeLost()).toBe(0);
    expect(flat(events).slice(0, 2)).toEqual([0, 102]);
  });

  it("keeps order and numbers, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom("0", "1"), fc.nat(30))), (steps) => {
        const events = new PendingEvents();
        let added = 0;
        let confirmed = -1;
        for (const step of steps) {
          if (typeof step === "string") expect(events.add(step)).toBe(added++);
          else {
            events.confirm(step);
            confirmed = Math.max(confirmed, Math.min(step, added - 1));
          }
        }
        expect(flat(events)).toEqual(
          Array.from({ length: added - confirmed - 1 }, (_, i) => confirmed + 1 + i),
        );
      }),
    );
  });
});
