import { expect, it } from "vitest";
import { differences } from "./state-differences.js";

it("lists what was added, removed and changed, by path", () => {
  const before = { lines: { tea: 1, bread: 2 }, total: 5, list: [1, 2] };
  const after = { lines: { tea: 2, honey: 1 }, total: 5, list: [1, 2, 3] };
  expect(differences(before, after)).toEqual([
    { path: "lines.tea", kind: "changed", text: "1 → 2" },
    { path: "lines.bread", kind: "removed", text: "2" },
    { path: "lines.honey", kind: "added", text: "1" },
    { path: "list.2", kind: "added", text: "3" },
  ]);
  expect(differences(after, after)).toEqual([]);
  expect(differences(null, { a: 1 })).toEqual([{ path: "", kind: "changed", text: 'null → {"a":1}' }]);
});
