import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TextBlock } from "./outline/fold.js";
import { formatCursor, parseCursor, renderText } from "./render-text.js";

/** Numbers objects in the order in which they are asked about. */
function anchors() {
  const numbers = new Map<object, number>();
  return {
    anchorOf(element: object): number {
      if (!numbers.has(element)) numbers.set(element, numbers.size + 1);
      return numbers.get(element) as number;
    },
  };
}

let next = 0;
const leaf = (localName: string): TextBlock => ({
  element: { localName },
  line: `e${++next} button "Button number ${next}"`,
  children: [],
});
const group = (localName: string, children: TextBlock[], line?: string): TextBlock => ({
  element: { localName },
  line,
  children,
});

const tree: fc.Arbitrary<TextBlock> = fc.letrec<{ block: TextBlock }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("button", "a", "input").map((tag) => leaf(tag)),
    fc
      .tuple(fc.constantFrom("div", "ul", "tr"), fc.array(tie("block"), { maxLength: 14 }))
      .map(([tag, children]) => group(tag, children, tag === "tr" ? "row text" : undefined)),
  ),
})).block;

describe("renderText", () => {
  test("following cursors shows every line, each page within its budget", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 50, max: 400 }), (block, maxTokens) => {
        const names = anchors();
        const wanted = new Set<string>();
        const collect = (each: TextBlock): void => {
          for (const [ref] of (each.line ?? "").matchAll(/^e\d+/g)) wanted.add(ref);
          each.children.forEach(collect);
        };
        collect(block);
        const seen = new Set<string>();
        let cursor: string | undefined;
        for (let pages = 0; ; pages++) {
          expect(pages).toBeLessThan(2_000);
          const { text, page } = renderText(block, names, { maxTokens, cursor, total: wanted.size });
          expect(page.tokens).toBeLessThanOrEqual(maxTokens);
          for (const [ref] of text.matchAll(/^e\d+/gm)) seen.add(ref);
          cursor = page.nextCursor;
          if (cursor === undefined) break;
        }
        expect([...seen].sort()).toEqual([...wanted].sort());
      }),
    );
  });

  test("what fits is not folded; what does not is cut to its first rows", () => {
    const rows = Array.from({ length: 50 }, () => group("tr", [leaf("button")], "row x"));
    const table = group("table", rows);
    expect(renderText(table, anchors(), { maxTokens: 5_000, total: 50 }).text).not.toContain("more");
    const folded = renderText(table, anchors(), { maxTokens: 300, total: 50 });
    expect(folded.text.split("\n")).toHaveLength(7);
    expect(folded.text).toMatch(/… 47 more rows; cursor m\d+$/);
  });

  test("the first answer and those of each cursor have every word of long texts, in order", () => {
    const words = (count: number): string => Array.from({ length: count }, () => `w${++next}x`).join(" ");
    const block = group("main", [
      group("p", [], words(30)),
      group("p", [], words(900)),
      group("p", [], words(5)),
      group("p", [], words(200)),
    ]);
    const names = anchors();
    const parts: string[] = [];
    let cursor: string | undefined;
    do {
      const { text, page } = renderText(block, names, { maxTokens: 300, cursor, total: 0 });
      expect(page.tokens).toBeLessThanOrEqual(300);
      parts.push(text);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const all = parts.join("\n");
    let from = 0;
    for (const { line } of block.children)
      for (const word of (line ?? "").split(" ")) {
        expect(all.indexOf(word, from), word).toBeGreaterThanOrEqual(from);
        from = all.indexOf(word, from) + word.length;
      }
  });

  test("a cursor whose place is gone has expired", () => {
    const names = anchors();
    expect(() => renderText(leaf("a"), names, { cursor: "m77", total: 1 })).toThrow(
      expect.objectContaining({ code: "cursor_expired" }),
    );
  });
});

describe("cursors", () => {
  const cursor = fc.record({ at: fc.nat(99_999), offset: fc.nat(99_999) });

  test("are read back as they were written", () => {
    fc.assert(
      fc.property(cursor, (each) => {
        expect(parseCursor(formatCursor(each))).toEqual(each);
      }),
    );
  });

  test("anything else is refused with a message", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^m\d{1,9}(?:\.\d{1,9})?$/.test(text)),
        (text) => {
          expect(() => parseCursor(text)).toThrow("is not a cursor");
        },
      ),
    );
  });
});
