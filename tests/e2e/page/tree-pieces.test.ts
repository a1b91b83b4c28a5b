import type { UiTreeItem } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const ROWS = Array.from(
  { length: 1_500 },
  (_, i) =>
    `<li id="r${i}">${i % 100 === 0 ? `<h2>Part ${i / 100}</h2>` : ""}<button>Edit ${i % 700}</button> <a href="#${i}">Open ${i}</a></li>`,
).join("");

interface Globals {
  DebugBridgePage: { createPageEngine(options: { emit(): void }): Engine };
  engine: Engine;
}
interface Engine {
  view: { tree: { prepare(ms: number): boolean; refresh(): { items(): UiTreeItem[] } } };
}

describe("the first UI tree of a large page", () => {
  test("is built in pieces, and sent once as a whole", async () => {
    const page = await browser.open(`<ul>${ROWS}</ul>`);
    await page.announce();
    expect(await page.messages("ui_tree")).toEqual([]);
    const { items } = await page.waitForMessage("ui_tree");
    expect(items.length).toBe(3_000);
    expect(await page.tree()).toEqual(items);
    expect((await page.messages("ui_tree")).length).toBe(1);
  });

  test("is built at once when it is requested early", async () => {
    const page = await browser.open(`<ul>${ROWS}</ul>`);
    await page.announce();
    await page.run({ type: "request_ui_tree" });
    expect((await page.messages("ui_tree"))[0]?.items.length).toBe(3_000);
  });

  test("is sent even if the page is never idle", async () => {
    const page = await browser.open(
      `<ul>${ROWS}</ul><p id="clock"></p>`,
      {},
      `setInterval(() => { const clock = document.getElementById("clock"); if (clock) clock.innerHTML = "<b>" + Date.now() + "</b>"; }, 4);`,
    );
    await page.announce();
    expect((await page.waitForMessage("ui_tree")).items.length).toBe(3_000);
  });

  const changes: Record<string, string> = {
    "nothing changed": "",
    "a text": `document.querySelector("#r3 button").textContent = "Changed"`,
    "a list item before the others": `document.querySelector("ul").insertAdjacentHTML("afterbegin", "<li><button>New</button></li>")`,
    "an item that left": `document.querySelector("#r2").remove()`,
    "a hidden one": `document.querySelector("#r1").hidden = true`,
    "a disabled part": `document.querySelector("#r4 button").disabled = true`,
    "the scrolling": "scrollTo(0, 2000)",
    "a heading": `document.querySelector("h2").textContent = "Other part"`,
    "something over it": `document.body.insertAdjacentHTML("beforeend", "<div style='position:fixed;inset:0;background:red'></div>")`,
    "an id of a label": `document.querySelector("#r5 a").setAttribute("aria-labelledby", "r9")`,
    "a ref's twin": `document.querySelector("#r6 button").textContent = "Edit 7"`,
  };

  test("is the same in pieces as at once, whatever changes in between", async () => {
    const page = await browser.open(`<ul>${ROWS}</ul>`);
    for (const [what, change] of Object.entries(changes)) {
      const { inPieces, pieces, atOnce } = await page.page.evaluate((code) => {
        const { DebugBridgePage } = globalThis as unknown as Globals;
        const make = () => DebugBridgePage.createPageEngine({ emit() {} }).view.tree;
        // Numbers are each engine's own.
        const shown = (items: UiTreeItem[]) => items.map(({ id: _id, ref: _ref, ...rest }) => rest);
        const tree = make();
        let pieces = 1;
        for (; pieces < 5_000 && !tree.prepare(1); pieces++) if (pieces === 5) new Function(code)();
        const items = tree.refresh().items();
        if (new Set(items.map(({ ref }) => ref)).size !== items.length) throw new Error("a ref twice");
        return { inPieces: shown(items), pieces, atOnce: shown(make().refresh().items()) };
      }, change);
      expect(pieces, what).toBeGreaterThan(5);
      expect(pieces, what).toBeLessThan(5_000);
      expect(inPieces, what).toEqual(atOnce);
    }
  });

  test("resumes after the connection was lost midway", async () => {
    const page = await browser.open(`<ul>${ROWS}</ul>`);
    await page.page.evaluate(() => {
      const { engine } = globalThis as unknown as { engine: { announce(): void; pause(): void } };
      engine.announce();
      engine.pause();
    });
    // After the idle callback of the engine; a page of a busy machine may never be idle.
    await page.page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })),
    );
    expect(await page.messages("ui_tree")).toEqual([]);
    await page.announce();
    await until(async () => (await page.messages("ui_tree")).length === 1);
  });
});
