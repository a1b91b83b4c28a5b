import type { UiTreeItem } from "@debug-bridge/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sameItem, UiTreeHistory } from "./ui-tree-history.js";

const item = (id: string, text: string): UiTreeItem => ({ id, selector: id, role: "button", text });

test("what cancels out is no difference", () => {
  const history = new UiTreeHistory();
  const [a, b] = [item("1", "a"), item("1", "b")];
  history.record({ version: 1, key: 1, before: undefined, after: a });
  history.record({ version: 2, key: 1, before: a, after: b });
  history.record({ version: 3, key: 1, before: b, after: a });
  history.record({ version: 4, key: 1, before: a, after: undefined });
  expect(history.since(0)).toEqual({ added: [], removed: [], changed: [] });
  expect(history.since(1)).toEqual({ added: [], removed: [a], changed: [] });
  expect(history.since(2)).toEqual({ added: [], removed: [b], changed: [] });
});

test("applying the differences to any version gives the newest", () => {
  const step = fc.record({
    key: fc.integer({ min: 1, max: 5 }),
    text: fc.option(fc.constantFrom("a", "b", "c")),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const history = new UiTreeHistory();
      const states: Map<string, UiTreeItem>[] = [new Map()];
      steps.forEach(({ key, text }, i) => {
        const state = new Map(states[i]);
        const before = state.get(String(key));
        const after = text === null ? undefined : item(String(key), text);
        if (after) state.set(String(key), after);
        else state.delete(String(key));
        if (before || after) history.record({ version: i + 1, key, before, after });
        states.push(state);
      });
      const newest = states[states.length - 1] as Map<string, UiTreeItem>;
      states.forEach((state, version) => {
        const difference = history.since(version);
        const replayed = new Map(state);
        for (const { id } of difference?.removed ?? []) replayed.delete(id);
        for (const added of difference?.added ?? []) replayed.set(added.id, added);
        for (const { after } of difference?.changed ?? []) replayed.set(after.id, after);
        expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(newest));
      });
    }),
  );
});

test("items are the same when all of their fields are equal", () => {
  expect(sameItem(item("1", "a"), item("1", "a"))).toBe(true);
  expect(
    sameItem({ ...item("1", "a"), meta: { value: "x" } }, { ...item("1", "a"), meta: { value: "y" } }),
  ).toBe(false);
});
