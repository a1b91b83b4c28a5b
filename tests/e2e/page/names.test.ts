import fc from "fast-check";
import type { CDPSession } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const parts = fc.letrec<{ inside: string; part: string }>((tie) => {
  const word = fc.constantFrom("one", "two three", " four ", "five\nsix");
  const attribute = fc.constantFrom(
    ...[
      "",
      "",
      "",
      " title='a title'",
      " aria-label='a label'",
      " aria-label=' '",
      " aria-hidden=true",
      " hidden",
    ],
    ...[
      " aria-labelledby='l1'",
      " aria-labelledby='l1 l2'",
      " style='display:block'",
      " style='visibility:hidden'",
    ],
    " class=drawn",
  );
  const tag = fc.constantFrom("b", "span", "div", "i", "p", "button", "a href='#'", "label", "h3", "em");
  return {
    part: fc.oneof(
      { maxDepth: 3 },
      word,
      fc
        .tuple(tag, attribute, tie("inside"))
        .map(([name, more, inside]) => `<${name}${more}>${inside}</${name.split(" ")[0]}>`),
      attribute.map((more) => `<img alt='a picture'${more}>`),
      attribute.map((more) => `<input value='typed' placeholder='hint'${more}>`),
      fc.constant("<input type=checkbox>"),
      fc.constant("<select><option>small<option selected>large</select>"),
      fc.constant("<svg width=9 height=9><title>drawing</title></svg>"),
    ),
    inside: fc.array(tie("part"), { maxLength: 4 }).map((all) => all.join("")),
  };
});

const page = fc
  .array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom("button", "a href='#'", "label", "div role=button tabindex=0", "div role=checkbox"),
        parts.inside,
      ),
      fc.tuple(fc.constant("div"), parts.inside),
      fc.tuple(
        fc.constant("p"),
        fc.constantFrom(
          "<input type=submit>",
          "<input type=button value=Press>",
          "<input type=image alt=Go>",
        ),
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.map(([tag, inside]) => `<${tag}>${inside}</${tag.split(" ")[0]}>`).join("\n"));

/** Numbers the elements and returns our names by number. */
function ourNames(): [string, string, string][] {
  const { engine } = globalThis as unknown as {
    engine: { view: { tree: { refresh(): { entries: { element: Element; name: string }[] } } } };
  };
  return engine.view.tree
    .refresh()
    .entries.filter(
      ({ element }) => element.checkVisibility({ visibilityProperty: true }) && element.localName !== "label",
    )
    .map(({ element, name }, i) => {
      element.setAttribute("data-number", String(i));
      return [String(i), name, element.outerHTML];
    });
}

/** The names that the browser itself computes, by number. */
async function browserNames(session: CDPSession): Promise<Map<string, string>> {
  const { nodes: dom } = (await session.send("DOM.getFlattenedDocument", { depth: -1 })) as {
    nodes: { backendNodeId: number; attributes?: string[] }[];
  };
  const numbers = new Map<number, string>();
  for (const { backendNodeId, attributes = [] } of dom) {
    const at = attributes.indexOf("data-number");
    if (at >= 0) numbers.set(backendNodeId, attributes[at + 1] as string);
  }
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const names = new Map<string, string>();
  for (const { backendDOMNodeId = 0, ignored, name } of nodes) {
    const number = numbers.get(backendDOMNodeId);
    if (number !== undefined && !ignored) names.set(number, String(name?.value ?? ""));
  }
  return names;
}

/** Spaces between parts are placed differently. */
const same = (text: string): string => text.replace(/\s+/g, "");

it("names of elements are those that the browser computes", async () => {
  const engine = await browser.open(
    "<style>.drawn::before{content:'drawn'}</style><p id=l1>label one</p><p id=l2 hidden>label two</p><div id=root></div>",
  );
  const session = await engine.page.context().newCDPSession(engine.page);
  await session.send("DOM.enable");
  await fc.assert(
    fc.asyncProperty(page, async (html) => {
      await engine.page.evaluate((inside) => {
        (document.getElementById("root") as Element).innerHTML = inside;
      }, html);
      const ours = await engine.page.evaluate(ourNames);
      const theirs = await browserNames(session);
      for (const [number, name, element] of ours) {
        const wanted = theirs.get(number);
        // Chrome leaves a field in an empty label without a name; a hint is better than none.
        const isHint = wanted === "" && ["hint", "a title"].includes(name);
        if (wanted !== undefined && !isHint && same(wanted) !== same(name))
          throw new Error(`html ${element} is "${name}", for the browser "${wanted}"`);
      }
    }),
    { numRuns: Number(process.env.NAMES_RUNS ?? 200), seed: 5 },
  );
});
