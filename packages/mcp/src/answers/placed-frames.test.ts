import { expect, it } from "vitest";
import { placedFrames } from "./placed-frames.js";

const TEXT =
  "TypeError: no\n    at apply (http://localhost:1/src/shop.tsx:14:3)\n    at http://localhost:1/app.js:2:1";

it("maps the frames in a text, and says which are of a file as it is served", async () => {
  const locate = async ({ url, line, column }: { url: string; line: number; column: number }) =>
    url.endsWith(".tsx") ? { url, line: line - 2, column } : undefined;
  expect(await placedFrames(TEXT, "http://localhost:1/", { locate })).toBe(TEXT.replace(":14:3", ":12:3"));
  expect(await placedFrames(TEXT, undefined, { locate })).toBe(TEXT.replace(":14:3", ":14:3 as served"));
  expect(await placedFrames("see http://localhost:1/a.tsx:1:1", undefined, { locate })).toBe(
    "see http://localhost:1/a.tsx:1:1",
  );
});
