import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** A part of a generated page. Words are numbered afterwards, so that each is unique. */
const page = fc.letrec<{ inline: string; block: string; flow: string }>((tie) => {
  const words = fc.constantFrom("W", "W W", " W", "W ", "W, W.");
  const inlineTag = fc.constantFrom(
    "b",
    "em",
    "span",
    "code",
    "sub",
    "a href='#x'",
    "button",
    "label",
    "a",
    "mark",
  );
  const blockTag = fc.constantFrom(
    ...[
      "p",
      "div",
      "section",
      "h2",
      "li",
      "article",
      "main",
      "nav",
      "blockquote",
      "pre",
      "dialog open",
      "summary",
    ],
    ...[
      "div tabindex=0",
      "div tabindex=-1 role=dialog aria-label=Dialog",
      "div contenteditable",
      "div role=alert",
    ],
    ...[
      "div style='overflow:auto;height:30px'",
      "div style='display:flex'",
      "fieldset",
      "div onclick='1'",
      "div role=button",
    ],
    ...[
      "div style='display:grid'",
      "details open",
      "p class=before",
      "a href='#y' style='display:block'",
      "div role=listitem",
    ],
  );
  const hidden = fc.constantFrom(
    ..."display:none|visibility:hidden|opacity:0|height:0;overflow:hidden|content-visibility:hidden".split(
      "|",
    ),
  );
  const wrap = (tag: string, inside: string): string => `<${tag}>${inside}</${tag.split(" ")[0]}>`;
  return {
    inline: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      words,
      fc.tuple(inlineTag, tie("flow")).map(([tag, inside]) => wrap(tag, inside)),
      fc.constantFrom("<br>", "<input value='V'>", "<img alt='A'>", "<wbr>", "&nbsp;"),
    ),
    flow: fc.array(tie("inline"), { maxLength: 4 }).map((parts) => parts.join("")),
    block: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("flow").map((inside) => wrap("p", inside)),
      fc
        .tuple(blockTag, fc.array(fc.oneof(tie("block"), tie("flow")), { maxLength: 4 }))
        .map(([tag, parts]) => wrap(tag, parts.join(""))),
      fc
        .array(fc.array(tie("flow"), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
        .map((rows) =>
          wrap(
            "table",
            rows.map((cells) => wrap("tr", cells.map((cell) => wrap("td", cell)).join(""))).join(""),
          ),
        ),
      fc
        .array(tie("flow"), { minLength: 1, maxLength: 9 })
        .map((items) => wrap("ul", items.map((item) => wrap("li", item)).join(""))),
      fc.tuple(hidden, tie("block")).map(([style, inside]) => wrap(`div style='${style}'`, inside)),
      fc
        .tuple(tie("block"), tie("flow"))
        .map(
          ([inside, light]) =>
            `<div><template shadowrootmode=open>${inside}<slot></slot></template>${light}</div>`,
        ),
      tie("block").map((inside) => `<iframe srcdoc="${inside.replaceAll('"', "&quot;")}"></iframe>`),
    ),
  };
});

const SOURCE = fc.array(page.block, { minLength: 1, maxLength: 4 }).map((blocks) => {
  let next = 0;
  return blocks.join("").replace(/\bW\b/g, () => `w${++next}x`);
});

/** The words that the browser draws, in the order of the page; and those that it does not draw. */
function drawnWords(): { drawn: string[]; hidden: string[] } {
  const drawn: string[] = [];
  const hidden: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeType === 3) {
      for (const { 0: word, index } of (node as Text).data.matchAll(/w\d+x/g)) {
        const range = (node.ownerDocument as Document).createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
        (boxes.length > 0 && isShown(node.parentElement) ? drawn : hidden).push(word);
      }
      return;
    }
    const element = node as HTMLElement;
    if (element.localName === "iframe") {
      const inside = (element as HTMLIFrameElement).contentDocument?.body;
      if (inside) visit(inside);
      return;
    }
    if (element.localName === "slot") {
      for (const each of (element as unknown as HTMLSlotElement).assignedNodes()) visit(each);
      return;
    }
    const root = element.shadowRoot ?? element;
    for (const child of root.childNodes) if (child.nodeType === 1 || child.nodeType === 3) visit(child);
  };
  const parentOf = (element: Element): Element | null =>
    element.assignedSlot ??
    element.parentElement ??
    (element.getRootNode() as ShadowRoot).host ??
    element.ownerDocument.defaultView?.frameElement ??
    null;
  const isShown = (element: Element | null): boolean => {
    for (let at = element; at; at = parentOf(at)) {
      if (!at.checkVisibility({ opacityProperty: true }) && getComputedStyle(at).display !== "contents")
        return false;
      const { overflow } = getComputedStyle(at);
      if (overflow !== "visible" && at.getBoundingClientRect().height <= 1) return false;
    }
    return element?.checkVisibility({ visibilityProperty: true }) !== false;
  };
  visit(document.body);
  return { drawn, hidden };
}

/** All answers of `observe`, following its cursors. */
async function readAll(engine: EnginePage, maxTokens: number): Promise<string> {
  const parts: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; ; pages++) {
    if (pages > 500) throw new Error("the cursors do not end");
    const answer = await engine.run({
      type: "request_ui_tree",
      format: "text",
      maxTokens,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
    parts.push(answer.result ?? "");
    cursor = answer.page?.nextCursor;
    if (cursor === undefined) return parts.join("\n");
  }
}

describe("observe, followed to its end", () => {
  it("has every word that is drawn, in order, and none that is not", async () => {
    const engine = await browser.open(
      "<div id=root></div><style>.before::before{content:'before: '}</style>",
    );
    await fc.assert(
      fc.asyncProperty(SOURCE, fc.constantFrom(60, 200, 4_000), async (html, maxTokens) => {
        await engine.page.evaluate(async (inside) => {
          const root = document.createElement("div");
          root.setHTMLUnsafe(inside);
          document.getElementById("root")?.replaceChildren(root);
          const frames = [...root.querySelectorAll("iframe")];
          await Promise.all(
            frames.map((frame) => new Promise((resolve) => frame.addEventListener("load", resolve))),
          );
        }, html);
        const { drawn, hidden } = await engine.page.evaluate(drawnWords);
        const text = await readAll(engine, maxTokens);
        let from = 0;
        for (const word of drawn) {
          const at = text.indexOf(word, from);
          if (at < 0)
            throw new Error(
              `${word} is ${text.includes(word) ? "out of order" : "missing"} in:\n${text}\nof:\n${html}`,
            );
          from = at + word.length;
        }
        // A name may contain what is rendered and not seen, as ARIA says.
        const unnamed = text.replace(/"[^"]*"/g, "");
        for (const word of hidden)
          if (unnamed.includes(word)) throw new Error(`${word} is not drawn, but in:\n${text}\nof:\n${html}`);
      }),
      { numRuns: Number(process.env.READING_RUNS ?? 150), seed: Number(process.env.READING_SEED ?? 7) },
    );
  });
});
