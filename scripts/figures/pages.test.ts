import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/run.mjs";
import { withoutBlocks } from "./blocks.mjs";
import { figurePages } from "./pages.mjs";

/** A number with a unit of something that is measured. */
const CLAIM = /\b\d[\d,.]*\s?(?:×|(?:ms|µs|s|KB|MB|GB|x|tokens|percent|messages)\b|%| (?:per|a) second)/g;

it("shows the stored figures in every page, and in bench/RESULTS.md", () => {
  for (const [path, text] of figurePages(root))
    expect(readFileSync(join(root, path), "utf8"), path).toBe(text);
});

it.each(["README.md", "docs/performance.md"])("claims no figure in %s that is not stored", (path) => {
  expect(withoutBlocks(readFileSync(join(root, path), "utf8")).match(CLAIM) ?? []).toEqual([]);
});

it("finds figures that a person wrote", () => {
  for (const text of ["takes 3 ms", "1.5× as fast", "about 2,000 tokens", "12,000 per second", "18.0 KB"])
    expect(text.match(CLAIM), text).not.toBeNull();
  expect("Node 20.19, a tour of 20 seconds, 1,000 elements".match(CLAIM)).toBeNull();
});
