import type { UiTreeItem } from "@debug-bridge/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomCases } from "../../support/machine/long-mode.js";
import { EngineBrowser } from "./engine-page.js";

/*
 * On a large page only what changed is looked at again. Whatever changes, the tree must be the one that an engine makes
 * that sees the page for the first time.
 */

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

interface Globals {
  DebugBridgePage: { createPageEngine(options: object): { view: { tree: Tree }; stop(): void } };
  engine: { view: { tree: Tree } };
}
interface Tree {
  refresh(): { items(): UiTreeItem[] };
  refreshAll(): { items(): UiTreeItem[] };
}

const ROWS = Array.from(
  { length: 220 },
  (_, i) => `<li id="r${i}"><span>Order ${i}</span> <button>Open ${i}</button> <a href="#${i}">Edit</a></li>`,
).join("");
const BODY = `<h1>Orders</h1><div id="card" style="cursor:pointer"><b>Card</b> <i id="part">part</i></div>
  <div id="titled" title="A hint"></div><p id="text">Text</p><section id="area" tabindex="-1"><p>Area</p></section>
  <div role="gridcell" id="cell">Cell</div><label id="label">Name <em id="slot"></em></label>
  <ul id="list">${ROWS}</ul><footer id="end"><p>End</p></footer>`;

const PLACES = ["card", "part", "titled", "text", "area", "cell", "slot", "list", "end", "r0", "r3", "r150"];
const PARTS = [
  "<button>New</button>",
  "<p>Only text</p>",
  "<li><span>Fresh</span> <button>Open fresh</button> <a href='#f'>Edit</a></li>",
  "<div><div tabindex='0'>Deep</div><a href='#d'>Edit</a></div>",
  "<h2>Another part</h2>",
  "<div style='cursor:pointer'>Pointed <b>at</b></div>",
  "<input>",
  "<input id='named'><label for='named'>Named</label>",
];

const at = (id: string): string => `(document.getElementById("${id}") ?? document.createElement("p"))`;
const place = fc.constantFrom(...PLACES);
const change = fc.oneof(
  fc
    .tuple(
      place,
      fc.constantFrom("beforebegin", "afterbegin", "beforeend", "afterend"),
      fc.constantFrom(...PARTS),
    )
    .map(
      ([id, where, html]) =>
        `document.getElementById("${id}")?.insertAdjacentHTML("${where}", ${JSON.stringify(html)})`,
    ),
  fc
    .constantFrom("part", "text", "cell", "r0", "r3", "r100", "r219")
    .map((id) => `document.getElementById("${id}")?.remove()`),
  fc
    .tuple(fc.constantFrom("r0", "r7", "r150", "part"), place)
    .map(
      ([id, to]) => `{ const moved = ${at(id)}; if (!moved.contains(${at(to)})) ${at(to)}.append(moved); }`,
    ),
  fc
    .tuple(
      place,
      fc.constantFrom("tabindex", "onclick", "contenteditable", "title", "role", "hidden", "disabled"),
    )
    .map(([id, name]) => `${at(id)}.toggleAttribute("${name}")`),
  place.map(
    (id) =>
      `{ const { lastElementChild } = ${at(id)}; if (lastElementChild) lastElementChild.textContent += "!"; }`,
  ),
  fc.constantFrom(0, 300, 4_000).map((y) => `scrollTo(0, ${y})`),
  fc.constant(`${at("list")}.append(${at("list")}.firstElementChild ?? "")`),
  // Nothing shows that a field was in it, which matters only to another field with the same id.
  fc.constant(
    `{ const taken = ${at("list")}.firstElementChild; taken?.remove();
      setTimeout(() => taken?.querySelector("#named") ?? taken?.replaceChildren()); }`,
  ),
);

describe("the tree of a large page after changes", () => {
  test("is the one of somebody who sees the page for the first time", { timeout: 240_000 }, async () => {
    const page = await browser.open(`<main></main>`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        async (steps) => {
          const differences = await page.page.evaluate(
            async ([body, codes]) => {
              const { DebugBridgePage, engine } = globalThis as unknown as Globals;
              (document.querySelector("main") as Element).innerHTML = body;
              scrollTo(0, 0);
              const { tree } = engine.view;
              tree.refreshAll();
              const shown = (items: UiTreeItem[]): string[] =>
                items.map(({ id: _id, ref: _ref, selector: _selector, ...rest }) => JSON.stringify(rest));
              const found: string[][] = [];
              for (const code of codes) {
                new Function(code)();
                await new Promise((resolve) => setTimeout(resolve));
                const now = tree.refresh().items();
                if (new Set(now.map(({ ref }) => ref)).size !== now.length) throw new Error("a ref twice");
                const fresh = DebugBridgePage.createPageEngine({ emit() {} });
                const [is, should] = [shown(now), shown(fresh.view.tree.refresh().items())];
                fresh.stop();
                const index = should.findIndex((line, i) => line !== is[i]);
                if (index >= 0 || is.length !== should.length)
                  found.push([code, `${is.length} ${is[index]}`, `${should.length} ${should[index]}`]);
              }
              return found;
            },
            [BODY, steps.map((codes) => codes.join(";\n"))] as const,
          );
          const lines = differences.flat().join("\n");
          expect(lines === "", lines).toBe(true);
        },
      ),
      {
        ...randomCases(20, 120),
        includeErrorInReport: true,
      },
    );
  });

  test("has selectors that lead to their elements when it is sent as a whole", async () => {
    const page = await browser.open(BODY);
    const wrong = await page.page.evaluate(() => {
      const { tree } = (globalThis as unknown as Globals).engine.view;
      tree.refresh();
      (document.querySelector("#r5") as Element).removeAttribute("id");
      tree.refresh();
      document.querySelector("#list")?.insertAdjacentHTML("afterbegin", "<li><button>First</button></li>");
      tree.refresh();
      const item = tree
        .refreshAll()
        .items()
        .find(({ text }) => text === "Open 5") as UiTreeItem;
      return document.querySelector(item.selector)?.textContent;
    });
    expect(wrong).toBe("Open 5");
  });
});

describe("what becomes usable on a large page without a change of it", () => {
  const late = `<p id="near">Near</p><ul>${ROWS}</ul><p id="far">Far</p>`;

  test("is listed as soon as it is read", async () => {
    const page = await browser.open(late);
    expect(await page.text()).toMatch(/^Near$/m);
    await page.page.evaluate(() => {
      for (const id of ["near", "far"]) document.getElementById(id)?.addEventListener("click", () => {});
    });
    const { result = "" } = await page.run({
      type: "request_ui_tree",
      format: "text",
      target: { selector: "#far" },
    });
    expect(result).toMatch(/^e\d+ p "Far"$/m);
    expect(await page.text()).toMatch(/^e\d+ p "Near"$/m);
  });

  test("is found by its text, wherever it is", async () => {
    const page = await browser.open(`${late}<div id="host"></div>`);
    await page.text();
    await page.page.evaluate(() => {
      const root = (document.querySelector("#host") as Element).attachShadow({ mode: "open" });
      root.innerHTML = "<button onclick=\"document.title='pressed'\">Inside</button>";
    });
    expect(await page.run({ type: "click", target: { role: "button", name: "Inside" } })).toMatchObject({
      ok: true,
    });
    expect(await page.page.title()).toBe("pressed");
  });
});
