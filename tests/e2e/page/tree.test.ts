import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

describe("the UI tree", () => {
  test("[APP-017…APP-026] holds what a person could use, with id, selector, role, text and state", async () => {
    const page = await browser.open(`
      <button data-testid="save">  Save
        now </button>
      <button disabled>Off</button>
      <a href="/x">Link</a>
      <label for="mail">E-mail</label><input id="mail" name="email" type="email" placeholder="you@x">
      <input type="checkbox" aria-label="Agree" checked>
      <select aria-label="Size"><option>S</option><option selected>M</option></select>
      <textarea aria-label="Notes">hello</textarea>
      <details><summary>More</summary>text</details>
      <div contenteditable aria-label="Body">rich</div>
      <div role="button" tabindex="0" aria-expanded="false">Menu</div>
      <div role="tab" aria-selected="true">Tab</div>
      <span onclick="0">Click me</span>
      <a id="bare">No link</a><a id="reacting">Reacts</a><script>reacting.addEventListener("click", () => {})</script>
      <p>Just text</p>
      <input type="hidden" name="h" value="x">`);
    const items = await page.tree();
    const shown = items.map(({ role, text }) => `${role} ${text}`);
    expect(shown).toEqual([
      "button Save now",
      "button Off",
      "link Link",
      "label E-mail",
      "textbox E-mail",
      "checkbox Agree",
      "combobox Size",
      "textbox Notes",
      "button More",
      "textbox rich",
      "button Menu",
      "tab Tab",
      "span Click me",
      expect.stringMatching(/ Reacts$/),
    ]);
    expect(items[0]).toMatchObject({ id: "save", disabled: false, visible: true });
    expect(items[1]).toMatchObject({ disabled: true });
    expect(items[4]?.meta).toMatchObject({ type: "email", name: "email", placeholder: "you@x" });
    expect(items[5]?.meta).toMatchObject({ checked: true, "aria-label": "Agree", type: "checkbox" });
    expect(items[6]?.meta).toMatchObject({ value: "M" });
    expect(items[7]?.meta).toMatchObject({ value: "hello" });
    expect(items[8]?.meta).toMatchObject({ expanded: false });
    expect(items[9]).toMatchObject({ name: "Body", meta: { value: "rich" } });
    expect(items[10]?.meta).toMatchObject({ expanded: false });
    expect(items[11]?.meta).toMatchObject({ selected: true });
    for (const item of items) {
      const matches = await page.page.locator(item.selector).count();
      expect(matches, item.selector).toBe(1);
      expect(item.ref).toMatch(/^e\d+$/);
    }
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  test("[APP-019] [ARC-040] ids stay with their elements, and nothing is written into the DOM", async () => {
    const page = await browser.open(
      `<ul id="l"><li><button>Open</button></li><li><button>Open</button></li></ul>`,
    );
    const html = await page.page.evaluate(() => document.documentElement.outerHTML);
    const before = await page.tree();
    await page.page.evaluate(() => {
      const list = document.getElementById("l") as HTMLElement;
      list.prepend(list.lastElementChild as Element);
      const item = document.createElement("li");
      item.innerHTML = "<button>Open</button>";
      list.prepend(item);
    });
    const after = await page.tree();
    expect(after.map(({ id }) => id).slice(1)).toEqual([before[1]?.id, before[0]?.id]);
    expect(before.map(({ id }) => id)).not.toContain(after[0]?.id);
    expect(html).toBe(
      (await page.page.evaluate(() => document.documentElement.outerHTML)).replace(
        "<li><button>Open</button></li><li>",
        "<li>",
      ),
    );
  });

  test("[APP-024] reports why something cannot be seen", async () => {
    const page = await browser.open(`<style>body { margin: 0 } button { width: 80px; height: 20px }</style>
      <button>seen</button>
      <button style="display:none">none</button>
      <button style="visibility:hidden">invisible</button>
      <div hidden><button>in hidden</button></div>
      <button style="width:0;height:0;padding:0;border:0;overflow:hidden">zero</button>
      <div inert><button>inert</button></div>
      <div style="position:relative"><button>covered</button><div style="position:absolute;inset:0;background:red;width:300px"></div></div>
      <button style="position:absolute;left:-9999px">away</button>
      <div style="height:3000px"></div><button>below</button>`);
    const sight = Object.fromEntries(
      (await page.tree()).map(({ text, visible, hiddenBy }) => [text, [visible, hiddenBy]]),
    );
    expect(sight).toEqual({
      seen: [true, undefined],
      none: [false, "hidden"],
      invisible: [false, "hidden"],
      "in hidden": [false, "hidden"],
      zero: [false, "zero-size"],
      inert: [false, "inert"],
      covered: [false, "occluded"],
      away: [false, "off-screen"],
      below: [true, "off-screen"],
    });
  });

  test("a modal dialog makes everything behind it inert", async () => {
    const page = await browser.open(`<button>Behind</button><dialog id="d"><button>Inside</button></dialog>`);
    await page.page.evaluate(() => (document.getElementById("d") as HTMLDialogElement).showModal());
    expect((await page.item(({ text }) => text === "Behind")).hiddenBy).toBe("inert");
    expect((await page.item(({ text }) => text === "Inside")).visible).toBe(true);
    expect(await page.run({ type: "click", target: { text: "Behind" } })).toMatchObject({
      ok: false,
      code: "not_actionable",
    });
    await page.run({ type: "press", key: "Escape" });
    expect((await page.item(({ text }) => text === "Behind")).visible).toBe(true);
  });

  test("sees what a frame shows after it navigated", async () => {
    const page = await browser.open(`<iframe srcdoc="<button>Before</button>"></iframe>`);
    await page.page.frameLocator("iframe").locator("button").waitFor();
    expect((await page.tree()).map(({ text }) => text)).toEqual(["Before"]);
    await page.page.evaluate(() => {
      (document.querySelector("iframe") as HTMLIFrameElement).srcdoc =
        "<button>After</button><p>more text</p>";
    });
    await page.page.frameLocator("iframe").getByText("After").waitFor();
    expect((await page.tree()).map(({ text }) => text)).toEqual(["After"]);
    expect(await page.run({ type: "wait_for", text: "more text", maxMs: 2_000 })).toMatchObject({ ok: true });
    expect(await page.run({ type: "click", target: { text: "After" } })).toMatchObject({ ok: true });
  });

  test("[ARC-041] reaches into open shadow roots, slots and same-origin frames", async () => {
    const page =
      await browser.open(`<x-card>Slotted <b>name</b></x-card><iframe srcdoc="<button id='in' onclick='document.title=1'>In frame</button>"></iframe>
      <script>customElements.define("x-card", class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML =
          '<button><slot></slot></button><input aria-label="Deep"><div id="log"></div>';
          this.shadowRoot.querySelector("button").onclick = () => { this.shadowRoot.getElementById("log").textContent = "clicked"; }; }
      })</script>`);
    await page.page.frameLocator("iframe").locator("button").waitFor();
    const items = await page.tree();
    expect(items.map(({ text }) => text)).toEqual(["Slotted name", "Deep", "In frame"]);
    expect(items[1]?.selector).toBe("body > x-card:nth-child(1) >>> input:nth-child(2)");
    expect(await page.run({ type: "click", target: { text: "Slotted name" } })).toMatchObject({ ok: true });
    expect(await page.page.locator("#log").textContent()).toBe("clicked");
    const typed = await page.run({
      type: "type",
      target: { selector: items[1]?.selector ?? "" },
      text: "héllo",
    });
    expect(typed).toMatchObject({ ok: true, applied: true });
    expect(await page.page.locator("x-card input").inputValue()).toBe("héllo");
    expect(await page.run({ type: "click", target: { ref: items[2]?.ref ?? "" } })).toMatchObject({
      ok: true,
    });
    expect(await page.page.frameLocator("iframe").locator("title").textContent()).toBe("1");
    await page.page.locator("x-card").evaluate((card) => {
      card.shadowRoot?.querySelector("button")?.append(" changed");
    });
    expect((await page.tree())[0]?.text).toBe("Slotted name changed");
  });

  /** Renames it 40 times. Returns how many trees may be sent meanwhile, at two a second, with the first and the last. */
  const rename = async (page: EnginePage): Promise<number> =>
    page.page.evaluate(async () => {
      const startedAt = performance.now();
      for (let i = 0; i < 40; i++) {
        (document.getElementById("a") as Element).textContent = `A${i}`;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return 3 + (performance.now() - startedAt) / 500;
    });

  test("[APP-084] sends the whole tree at most twice a second, and nothing when nothing changed", async () => {
    const page = await browser.open(
      `<h2>Part</h2><button id="a">A</button>${"<button>x</button>".repeat(8)}`,
    );
    await page.announce();
    const most = await rename(page);
    const whole = await page.waitForMessage("ui_tree", ({ items }) => items[0]?.text === "A39");
    expect(whole.items[0]).toMatchObject({ section: "Part" });
    expect((await page.messages("ui_tree")).length).toBeLessThanOrEqual(most);
    const before = (await page.messages("ui_tree")).length;
    await page.page.evaluate(() => document.body.setAttribute("data-same", "tree"));
    await page.page.waitForTimeout(1_200);
    expect(await page.messages("ui_tree")).toHaveLength(before);
  });

  test("[ARC-027] sends differences instead once everyone understands them, and whole trees again when not", async () => {
    const page = await browser.open(
      `<h2>Part</h2><button id="a">A</button>${"<button>x</button>".repeat(8)}`,
    );
    await page.page.evaluate("engine.setDeltas(true)");
    await page.announce();
    const most = await rename(page);
    const last = await page.waitForMessage("ui_tree_delta", ({ changed }) => changed[0]?.text === "A39");
    expect(last).toMatchObject({ added: [], removed: [], version: expect.any(Number) });
    expect((await page.messages("ui_tree_delta")).length).toBeLessThanOrEqual(most);
    expect(await page.messages("ui_tree")).toHaveLength(1);
    await page.page.evaluate("engine.setDeltas(false)");
    expect((await page.messages("ui_tree"))[1]?.items[0]?.text).toBe("A39");
  });

  test("[APP-051] [APP-067] items that the app names itself replace the built-in ones and can be acted upon", async () => {
    const page = await browser.open(
      `<div id="go" onclick="document.title='gone'">Go</div><button>Other</button>`,
      {},
      `globalThis.engineOptions = { getUiTreeItems: () => [{ id: "custom-go", selector: "#go", role: "button", text: "Launch" }] };`,
    );
    expect(await page.tree()).toMatchObject([{ id: "custom-go", role: "button", text: "Launch" }]);
    expect(await page.run({ type: "click", target: { id: "custom-go" } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("gone");
  });
});

describe("the page as text", () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `<tr><td>Row ${i}</td><td>Cell</td><td><button>Edit</button></td></tr>`,
  ).join("");

  test("[ARC-055…ARC-057] fits the budget, folds what repeats, and cursors reach everything", async () => {
    const page =
      await browser.open(`<nav aria-label="Main"><a href="/">Home</a></nav><main><h1>Users</h1><p>Some <b>bold</b> text.</p>
      <label>Filter <input></label><table><tbody>${rows}</tbody></table></main>`);
    const first = await page.run({ type: "request_ui_tree", format: "text", maxTokens: 300 });
    expect(first.page?.tokens).toBeLessThanOrEqual(300);
    expect(first.result).toContain(
      '[navigation "Main"]\ne1 link "Home"\n[main]\n# Users\nSome bold text.\ne3 textbox "Filter"',
    );
    expect(first.result).toMatch(/… 57 more rows; cursor m\d+/);
    const refs = new Set<string>();
    let cursor = first.page?.nextCursor;
    for (const [ref] of first.result?.matchAll(/\be\d+(?= )/g) ?? []) refs.add(ref);
    for (let pages = 0; cursor !== undefined && pages < 50; pages++) {
      const next = await page.run({ type: "request_ui_tree", format: "text", maxTokens: 300, cursor });
      expect(next.page?.tokens).toBeLessThanOrEqual(300);
      for (const [ref] of next.result?.matchAll(/\be\d+(?= )/g) ?? []) refs.add(ref);
      cursor = next.page?.nextCursor;
    }
    const wanted = (await page.tree()).filter(({ role }) => role !== "label").map(({ ref }) => ref);
    expect([...refs].sort()).toEqual([...wanted].sort());
    const whole = await page.run({ type: "request_ui_tree", format: "text", maxTokens: 5_000 });
    expect(whole.result).not.toContain("more rows");
    expect(await page.run({ type: "request_ui_tree", format: "text", cursor: "m99999" })).toMatchObject({
      code: "cursor_expired",
    });
    expect(await page.run({ type: "request_ui_tree", format: "text", cursor: "zz" })).toMatchObject({
      code: "invalid_message",
    });
  });

  test("[ARC-058] since a version, it contains only the differences", async () => {
    const page = await browser.open(
      `<button id="a">One</button><button id="b">Two</button><input aria-label="Name">`,
    );
    const { value } = await page.run({ type: "request_ui_tree", format: "text" });
    const { version } = value as { version: number };
    const same = await page.run({ type: "request_ui_tree", format: "text", since: version });
    expect(same.result).toBe("nothing changed");
    await page.page.evaluate(() => {
      document.getElementById("a")?.remove();
      document.body.insertAdjacentHTML("beforeend", "<button>Three</button>");
      (document.querySelector("input") as HTMLInputElement).value = "Ada";
    });
    const different = await page.run({ type: "request_ui_tree", format: "text", since: version });
    expect(different.result?.split("\n").sort()).toEqual([
      '+ e4 button "Three"',
      '- e1 button "One"',
      '~ e3 textbox "Name" value "Ada"',
    ]);
    await page.run({ type: "request_ui_tree", since: version });
    const [delta] = await page.messages("ui_tree_delta");
    expect(delta).toMatchObject({
      since: version,
      added: [{ text: "Three" }],
      removed: [expect.any(String)],
    });
  });

  test("control characters of the page are removed", async () => {
    const page = await browser.open(`<button>a\u001b[31m\u202eb</button><p>x\u0007y</p>`);
    expect(await page.text()).toBe('e1 button "a[31mb"\nxy');
  });
});
