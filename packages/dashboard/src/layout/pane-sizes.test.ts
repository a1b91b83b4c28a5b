import { expect, it } from "vitest";
import { resizePanes } from "./pane-sizes.js";

it("moves the line between two panes, and leaves both wide enough to use", () => {
  const shares = { a: 0.4, b: 0.3, c: 0.3 };
  expect(resizePanes(shares, "a", "b", 0.1)).toEqual({ a: 0.5, b: expect.closeTo(0.2), c: 0.3 });
  expect(resizePanes(shares, "a", "b", 9)).toEqual({
    a: expect.closeTo(0.6),
    b: expect.closeTo(0.1),
    c: 0.3,
  });
  expect(resizePanes(shares, "a", "b", -9)).toEqual({
    a: expect.closeTo(0.1),
    b: expect.closeTo(0.6),
    c: 0.3,
  });
});
