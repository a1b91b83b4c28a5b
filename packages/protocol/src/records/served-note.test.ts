import { expect, it } from "vitest";
import { fullRecordLine } from "./record-line.js";
import { servedNote } from "./served-note.js";
import { whyLines } from "./why-lines.js";

it("`as served` is added for compiled files, and not for scripts that may be the written source", () => {
  expect(servedNote("http://localhost/src/shop.tsx?t=1")).toBe(" as served");
  expect(servedNote("webpack-internal:///./app/page.vue")).toBe(" as served");
  expect(servedNote("http://localhost/shop.js")).toBe("");
  expect(servedNote("http://localhost/shop.ts.js")).toBe("");
});

const place = { url: "http://localhost/shop.tsx", line: 14, column: 3 };

it("`as served` is added for errors until their place is mapped back", () => {
  const record = { type: "error", data: { source: "sdk", message: "no", location: place } };
  expect(fullRecordLine(record)).toContain("(http://localhost/shop.tsx:14:3 as served)");
  expect(fullRecordLine(record, { ...place, line: 12 })).toContain("(http://localhost/shop.tsx:12:3)");
});

it("`as served` is added for causes whose code could not be mapped back", () => {
  const link = { kind: "code", text: "save", evidence: "", place } as const;
  const lines = (isServed: boolean): string[] =>
    whyLines({
      sequence: 1,
      links: [{ ...link, ...(isServed ? { isServed } : {}) }],
      couldBe: [],
      notes: [],
    });
  expect(lines(true)).toEqual(["code save at http://localhost/shop.tsx:14:3 as served"]);
  expect(lines(false)).toEqual(["code save at http://localhost/shop.tsx:14:3"]);
});
