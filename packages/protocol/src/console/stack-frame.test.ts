import { expect, it } from "vitest";
import { parseFrame } from "./console-text.js";

it.each([
  ["at save (http://localhost/a.js:1:2)", { name: "save", url: "http://localhost/a.js", line: 1, column: 2 }],
  ["at http://localhost/a.js:1:2", { name: "(anonymous)", url: "http://localhost/a.js", line: 1, column: 2 }],
  [
    "at async Cart.buy (http://[::1]:80/a.js:10:20)",
    { name: "async Cart.buy", url: "http://[::1]:80/a.js", line: 10, column: 20 },
  ],
  ["at <anonymous>", { name: "<anonymous>" }],
])("reads the frame %s", (frame, parts) => {
  expect(parseFrame(frame)).toEqual(parts);
});
