import { describe, expect, it } from "vitest";
import { firstPlace, placeOfFrame, withoutFrames } from "./frames.js";

describe("frames of a stack", () => {
  it.each([
    ["    at http://localhost/a.js:12:5", "http://localhost/a.js", "12", "5"],
    ["    at save (http://localhost/a.js?v=1:2:12:5)", "http://localhost/a.js?v=1:2", "12", "5"],
    ["    at async load (http://localhost/a.js:1:2)", "http://localhost/a.js", "1", "2"],
    ["    at async http://localhost/a.js:1:2", "http://localhost/a.js", "1", "2"],
    ["    at new Cart (http://localhost/a.js:1:2)", "http://localhost/a.js", "1", "2"],
    ["    at load (http://localhost/(shop)/a.js:1:2)", "http://localhost/(shop)/a.js", "1", "2"],
    ["    at http://localhost/(shop)/(cart):1:2", "http://localhost/(shop)/(cart)", "1", "2"],
    ["    at <anonymous>:1:9", "<anonymous>", "1", "9"],
  ])("%s names a place", (frame, url, line, column) => {
    expect(placeOfFrame(frame)).toEqual({ url, line, column });
  });

  it.each([
    "",
    "    at Array.forEach (<anonymous>)",
    "    at async Promise.all (index 0)",
    "    at eval (eval at run (http://localhost/a.js:1:2), <anonymous>:1:1)",
    "    at :1:2",
    "Error: at 12:30:15",
  ])("%s names none", (frame) => {
    if (!frame.startsWith("Error")) expect(placeOfFrame(frame)).toBeUndefined();
    expect(firstPlace(frame)).toBeUndefined();
  });

  it("are left out when they belong to our own script", () => {
    const stack = "Error: two\nlines\n    at x (own.js:1:1)\n    at y (a.js:1:1)\n    at z (b.js:2:2)";
    expect(withoutFrames(stack, "own.js", 1)).toBe("Error: two\nlines\n    at y (a.js:1:1)");
    expect(withoutFrames("Error\n    at x (http://h/own.js:1:1)", "own.js", 1)).toContain("http://h/own.js");
    expect(firstPlace(withoutFrames(stack, "own.js", 9))).toEqual({ url: "a.js", line: "1", column: "1" });
  });
});
