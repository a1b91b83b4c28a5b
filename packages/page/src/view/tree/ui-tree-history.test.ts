import type { UiTreeItem } from "@debug-bridge/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Journal, sameItem } from "./ui-tree-history.js";

const item = (id: string, text: string): UiTreeItem => ({ id, selector: id, role: "button", text });

test("what cancels out is no difference", () => {
  const journal = new Journal();
  const [a, b] = [item("1", "a"), item("1", "b")];
  journal.record({ version: 1, key: 1, before: undefined, after: a });
  journal.record({ version: 2, key: 1, before: a, after: b });
  journal.record({ version: 3, key: 1, before: b, after: a });
  journal.record({ version: 4, key: 1, before: a, after: undefined });
  expect(journal.since(0)).toEqual({ added: [], removed: [], changed: [] });
  expect(journal.since(1)).toEqual({ added: [], removed: [a], changed: [] });
  expect(journal.since(2)).toEqual({ added: [], removed: [b], changed: [] });
});

test("applying the differences to any version gives the newest", () => {
  const step = fc.record({
    key: fc.integer({ min: 1, max: 5 }),
    text: fc.option(fc.constantFrom("a", "b", "c")),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const journal = new Journal();
      const states: Map<string, UiTreeItem>[] = [new Map()];
      steps.forEach(({ key, text }, i) => {
        const state = new Map(states[i]);
        const before = state.get(String(key));
        const after = text === null ? undefined : item(String(key), text);
        if (after) state.set(String(key), after);
        else state.delete(String(key));
        if (before || after) journal.record({ version: i + 1, key, before, after });
        states.push(state);
      });
      const newest = states[states.length - 1] as Map<string, UiTreeItem>;
      states.forEach((state, version) => {
        const difference = journal.since(version);
        const replayed = new Map(state);
        for (const { id } of difference?.removed ?? []) replayed.delete(id);
        for (const added of difference?.added ?? []) replayed.set(added.id, added);
        for (const { after } of difference?.changed ?? []) replayed.set(after.id, after);
        expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(newest));
      });
    }),
  );
});

test("items are the same when all they say is", () => {
  expect(sameItem(item("1", "a"), item("1", "a"))).toBe(true);
  expect(
    sameItem({ ...item("1", "a"), meta: { value: "x" } }, { ...item("1", "a"), meta: { value: "y" } }),
  ).toBe(false);
});
