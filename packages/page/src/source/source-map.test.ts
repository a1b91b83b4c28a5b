import { expect, test } from "vitest";
import { SourceMap } from "./source-map.js";

// Line 1 is from line 1 of a.ts; column 4 of line 2 is from line 3, column 2 of b.ts.
const flat = {
  version: 3,
  sources: ["a.ts", "b.ts"],
  sourcesContent: ["let a;", "\n\n  <p>"],
  mappings: "AAAA;ICEE",
};

test("a map leads from code that runs to where it was written", () => {
  const map = new SourceMap(flat);
  expect(map.find(1, 5)).toEqual({ source: "a.ts", line: 1, column: 0, content: "let a;" });
  expect(map.find(2, 4)).toEqual({ source: "b.ts", line: 3, column: 2, content: "\n\n  <p>" });
  expect(map.find(2, 3)).toBeUndefined();
  expect(map.find(9, 0)).toBeUndefined();
});

test("an index map leads through the section that the place is in", () => {
  const map = new SourceMap({
    sections: [
      { offset: { line: 0, column: 0 }, map: { ...flat, sources: ["first.ts", "x.ts"] } },
      { offset: { line: 10, column: 6 }, map: flat },
    ],
  });
  expect(map.find(1, 0)?.source).toBe("first.ts");
  expect(map.find(11, 6)).toMatchObject({ source: "a.ts", line: 1, column: 0 });
  expect(map.find(11, 5)).toBeUndefined();
  expect(map.find(12, 4)).toMatchObject({ source: "b.ts", line: 3, column: 2 });
});
