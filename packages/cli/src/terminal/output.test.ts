import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stripControlCharacters } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../../../../scripts/lib/packages.mjs";
import { toJson } from "./output.js";
import { COLOURED, inPlaceOfLineAbove, link, PLAIN, padEnd, paint, render } from "./style.js";

const HOSTILE = "a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\u202ee\u007f\rf";
const SAFE = "a[31mb]0;titlec2Jdef";

describe("text for a terminal", () => {
  it("has the colours that were painted, and no control character of its content", () => {
    const text = `${paint("red", `error ${HOSTILE}`)}: ${HOSTILE}`;
    expect(render(text, COLOURED)).toBe(`\u001b[31merror ${SAFE}\u001b[39m: ${SAFE}`);
    expect(render(text, PLAIN)).toBe(`error ${SAFE}: ${SAFE}`);
  });

  it("nests colours, keeps line ends and tabs, and pads by what is seen", () => {
    expect(render(paint(["bold", "cyan"], `a${paint("dim", "b")}\n\tc`), PLAIN)).toBe("ab\n\tc");
    expect(render(`${padEnd(paint("green", "ok"), 4)}|`, PLAIN)).toBe("ok  |");
  });

  it("has links and rewritten lines only as marked, whatever their address says", () => {
    const text = inPlaceOfLineAbove(link("a.js:1", `http://h/\u001b]0;title\u0007\u{e0f3}\u009b2J`));
    expect(render(text, PLAIN)).toBe("a.js:1");
    expect(render(text, COLOURED)).toBe(
      "\u001b[1A\u001b[2K\u001b]8;;http://h/]0;title2J\u001b\\a.js:1\u001b]8;;\u001b\\",
    );
  });

  it("cannot be coloured by a page that knows how marks look", () => {
    const forged = paint("red", "x").replace(/[0-9a-f]{16}/g, "0123456789abcdef");
    expect(render(forged, COLOURED)).not.toContain("\u001b");
  });
});

it("JSON escapes every character that a terminal obeys", () => {
  const json = toJson({ [HOSTILE]: HOSTILE });
  expect(json).toBe(stripControlCharacters(json));
  expect(JSON.parse(json)).toEqual({ [HOSTILE]: HOSTILE });
});

it("nothing else in the command line writes to a stream", () => {
  const src = fileURLToPath(new URL("../", import.meta.url));
  const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.test\.ts$/.test(path);
  const writers = (filesBelow(src, isSource) as string[]).filter((path) =>
    /\bstd(out|err)\.write\(|\bconsole\.(log|info|warn|error|table|dir)\(/.test(readFileSync(path, "utf8")),
  );
  expect(writers.map((path) => path.slice(src.length))).toEqual(["terminal/output.ts"]);
});
