import type { Receipt } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { withoutSameAgain } from "./same-again.js";

const button = (ref: string, name: string) => ({ ref, role: "button", name });
const rename = (ref: string, before: string, after: string) => ({
  ...{ ...button(ref, after), field: "name" },
  ...{ before, after },
});
const of = (lists: Partial<Receipt>) => withoutSameAgain({ settled: true, durationMs: 5, ...lists });

it("elements that were created again with the same names are counted, and others are shown", () => {
  const { receipt, recreated } = of({
    appeared: [button("e11", "Pay"), button("e12", "Pay later"), button("e13", "Back")],
    vanished: [button("e1", "Pay"), button("e3", "Back"), button("e4", "Help")],
  });
  expect(recreated).toBe(2);
  expect(receipt).toEqual({
    ...{ settled: true, durationMs: 5 },
    ...{ appeared: [button("e12", "Pay later")], vanished: [button("e4", "Help")] },
  });
});

it("an element that is put between others appeared, and the others were not renamed", () => {
  const { receipt, recreated } = of({
    appeared: [button("e9", "Three")],
    changed: [
      rename("e2", "Two", "New"),
      { ...rename("e2", "Two", "New"), field: "text" },
      rename("e3", "Three", "Two"),
    ],
  });
  expect(recreated).toBe(0);
  expect(receipt).toEqual({ settled: true, durationMs: 5, appeared: [button("e2", "New")] });
});

it("an element that is taken from between others vanished, with a ref that is gone", () => {
  const { receipt } = of({
    vanished: [button("e3", "Three")],
    changed: [rename("e1", "One", "Two"), rename("e2", "Two", "Three")],
  });
  expect(receipt).toEqual({ settled: true, durationMs: 5, vanished: [button("e3", "One")] });
});

it("a list that moves by one without growing has one change", () => {
  const { receipt } = of({ changed: [rename("e1", "One", "Two"), rename("e2", "Two", "Three")] });
  expect(receipt).toEqual({ settled: true, durationMs: 5, changed: [rename("e2", "One", "Three")] });
});

it("what has no match is left as it is", () => {
  const lists = { appeared: [button("e9", "New")], changed: [rename("e1", "Pay", "Pay now")] };
  expect(of(lists)).toEqual({ receipt: { settled: true, durationMs: 5, ...lists }, recreated: 0 });
});

it("nothing that may be on the cut part of a list is reported as added or removed", () => {
  const many = (from: number, first: number) =>
    Array.from({ length: 50 }, (_, i) => button(`e${from + i}`, `Row ${first + i}`));
  const { receipt, recreated } = of({ appeared: many(100, 0), vanished: many(1, 1), omitted: 4 });
  expect(recreated).toBe(49);
  expect(receipt).toEqual({ settled: true, durationMs: 5, omitted: 6 });
});
