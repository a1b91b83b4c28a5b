import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** The page as text, without the numbers of refs. */
const shown = async (page: EnginePage): Promise<string> => (await page.text()).replace(/\be\d+ /g, "e ");

/** Adds a listener to each element that matches. */
const listening = (selector: string, type = "click"): string =>
  `<script>for (const each of document.querySelectorAll(${JSON.stringify(selector)}))
    each.addEventListener(${JSON.stringify(type)}, () => { document.title = each.id || each.textContent; });</script>`;

describe("an element is listed when it reacts", () => {
  test("cells, icons, shapes and canvases with a listener, whatever the cursor is", async () => {
    const page = await browser.open(`<table><tr><td>Mon</td><td class="r">Tue</td></tr></table>
      <i class="r" title="Delete" style="display:inline-block;width:10px;height:10px"></i>
      <canvas class="r" width="30" height="20" id="board"></canvas>
      <svg width="50" height="20"><text class="r" y="15">Zoom</text><circle cx="40" cy="9" r="5"/></svg>
      ${listening(".r")}`);
    const text = await shown(page);
    expect(text).toContain('row Mon | [e cell "Tue"]');
    expect(text).toContain('e i "Delete"');
    expect(text).toContain("e canvas 30x20");
    expect(text).toContain('e text "Zoom"');
    expect(text).not.toContain("circle");
    const { ref } = await page.item(({ role }) => role === "canvas");
    await page.run({ type: "click", target: { ref } });
    expect(await page.page.title()).toBe("board");
  });

  test("parts of a clickable wrapper that react themselves, each alone", async () => {
    const page =
      await browser.open(`<div style="cursor:pointer"><span class="r">Reply</span> <span class="r">Forward</span></div>
      <div class="r" style="cursor:pointer">Tag <span class="r">×</span></div>${listening(".r")}`);
    const text = await shown(page);
    expect(text).toContain('[e span "Reply"] [e span "Forward"]'.replaceAll(/[[\]]/g, "").split(" e ")[0]);
    const items = (await page.tree()).map(({ role, text: own }) => `${role} ${own}`);
    expect(items).toEqual(["span Reply", "span Forward", "div Tag ×", "span ×"]);
  });

  test("not a container that listens for its controls, nor the page", async () => {
    const page = await browser.open(`<ul class="r"><li><button>A</button></li><li><button>B</button></li></ul>
      <script>for (const each of [document, document.body, document.documentElement]) each.addEventListener("click", () => {});</script>
      ${listening(".r")}`);
    expect((await page.tree()).map(({ role }) => role)).toEqual(["button", "button"]);
  });

  test("a listener that is added after the first look", async () => {
    const page = await browser.open(`<div id="late">Later</div>`);
    expect(await shown(page)).toBe("Later");
    await page.page.evaluate(() => document.querySelector("#late")?.addEventListener("click", () => {}));
    expect(await shown(page)).toBe('e div "Later"');
  });

  test("no longer when its listeners are removed", async () => {
    const page = await browser.open(`<div id="a">One</div><div id="b">Two</div><div id="c">Three</div><script>
      const [run, other] = [() => {}, () => {}];
      for (const [at, listener] of [[a, run], [b, run], [b, other], [c, run]]) at.addEventListener("click", listener);
    </script>`);
    expect(await shown(page)).toBe('e div "One"\ne div "Two"\ne div "Three"');
    const code = (at: string, more = ""): string => `${at}.removeEventListener("click", run${more})`;
    await page.page.evaluate(`${code("a")}; ${code("b")}; ${code("c", ", true")}`);
    expect(await shown(page)).toBe('One\ne div "Two"\ne div "Three"');
    await page.page.evaluate(`a.addEventListener("click", other); ${code("c")}`);
    expect(await shown(page)).toBe('e div "One"\ne div "Two"\nThree');
    await page.page.evaluate(`b.removeEventListener("click", other)`);
    expect(await shown(page)).toBe('e div "One"\nTwo\nThree');
  });

  test("handlers that frameworks keep on their elements and that are set as properties", async () => {
    const page =
      await browser.open(`<p id="react">React</p><p id="svelte">Svelte</p><p id="solid">Solid</p><p id="own">Own</p><p id="not">Not</p>
      <script>const noop = () => {};
      react.__reactProps$x1 = { onMouseDown: noop, children: "React" }; not.__reactProps$x1 = { onClick: undefined, onScroll: noop };
      svelte[Symbol("events")] = { click: noop }; solid.$$click = noop; own.onclick = noop;
      Object.defineProperty(not, "__reactProps$x2", { enumerable: true, get() { throw new Error("hostile"); } });</script>`);
    expect((await page.tree()).map(({ text }) => text)).toEqual(["React", "Svelte", "Solid", "Own"]);
  });

  test("not a label without a control, nor a wrapper that is only presentation", async () => {
    const page = await browser.open(`<label>Lonely</label><label>Name <input></label>
      <ul role="tablist"><li role="presentation" tabindex="-1"><a href="#a" role="tab">First</a></li></ul>`);
    expect((await page.tree()).map(({ role }) => role)).toEqual(["label", "textbox", "tab"]);
    expect(await shown(page)).toContain("Lonely");
  });

  test("what can be dragged, and what has only a title", async () => {
    const page = await browser.open(
      `<div draggable="true">Card</div><i title="Bold" style="display:inline-block;width:9px;height:9px"></i><p title="A hint">Text</p>`,
    );
    expect((await page.tree()).map(({ role, text }) => `${role} ${text}`)).toEqual(["div Card", "i Bold"]);
  });
});

describe("what nothing else identifies", () => {
  test("swatches and shapes are distinguished by colour and size", async () => {
    const swatch = (colour: string): string =>
      `<span class="r" style="display:inline-block;width:20px;height:20px;background:${colour}"></span>`;
    const page = await browser.open(`${swatch("#ff0000")}${swatch("rgb(0, 128, 0)")}
      <svg width="40" height="40"><rect class="r" width="16" height="8" fill="#0000ff"/></svg>${listening(".r")}`);
    const text = await shown(page);
    expect(text).toContain("e span #ff0000 20x20");
    expect(text).toContain("e span #008000 20x20");
    expect(text).toContain("e rect #0000ff 16x8");
  });

  test("options of a list and the kind of a text field are shown", async () => {
    const page =
      await browser.open(`<label>Size <select><option>S</option><option>M</option><option selected>L</option></select></label>
      <select aria-label="Year">${Array.from({ length: 30 }, (_, i) => `<option>${1990 + i}</option>`).join("")}</select>
      <input type="email" aria-label="Mail"><textarea aria-label="Notes"></textarea><input aria-label="Nick">`);
    const text = await shown(page);
    expect(text).toContain('combobox "Size" value "L" options "S | M | L"');
    expect(text).toContain('options "1990 | 1991 | 1992 | 1993 | 1994 | 1995 | 1996 | 1997 | 22 more"');
    expect(text).toContain('textbox "Mail" email');
    expect(text).toContain('textbox "Notes" multiline');
    expect(text).toMatch(/textbox "Nick"$/m);
  });
});

test("a shadow root that is attached after the first look has refs, and what is in it can be used", async () => {
  const page = await browser.open(`<div id="host"></div><late-card></late-card>`);
  expect(await shown(page)).toBe("");
  await page.page.evaluate(() => {
    const root = (document.querySelector("#host") as Element).attachShadow({ mode: "open" });
    root.innerHTML = "<button onclick=\"document.title='pressed'\">Inside</button>";
  });
  expect(await shown(page)).toBe('e button "Inside"');
  expect(await page.run({ type: "click", target: { text: "Inside" } })).toMatchObject({ ok: true });
  expect(await page.page.title()).toBe("pressed");
  await page.page.evaluate(() =>
    customElements.define(
      "late-card",
      class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: "open" }).innerHTML = "<a href='#x'>Upgraded</a>";
        }
      },
    ),
  );
  expect(await page.run({ type: "click", target: { role: "link", name: "Upgraded" } })).toMatchObject({
    ok: true,
  });
});
