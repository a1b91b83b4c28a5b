import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineChanges } from "./line-changes.js";

describe("lineChanges", () => {
  test("has the lines that came and those that went", () => {
    expect(lineChanges(["Total: 0", "Pay"], ["Total: 10", "Pay"])).toEqual({
      added: ["Total: 10"],
      removed: ["Total: 0"],
    });
    expect(lineChanges(["Row", "Row"], ["Row"])).toEqual({ added: [], removed: ["Row"] });
  });

  test("has lines that changed places in both lists", () => {
    expect(lineChanges(["a", "b", "c", "d"], ["a", "c", "b", "d"])).toEqual({
      added: ["c", "b"],
      removed: ["b", "c"],
    });
  });

  const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
  test("is empty if and only if the lines are the same", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { added, removed } = lineChanges(before, after);
        expect(added.length + removed.length === 0).toBe(before.join() === after.join());
      }),
    );
  });
});
