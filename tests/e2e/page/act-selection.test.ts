import { afterAll, beforeAll, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const selected = "String(getSelection())";

test("a double click selects a word and a triple click a paragraph, with time between the clicks", async () => {
  const page = await browser.open(`<p id="p" style="width:600px">first word</p><p>other</p>
    <script>window.times = []; p.onclick = (event) => times.push([event.detail, event.timeStamp])</script>`);
  const click = (clickCount: number) =>
    page.run({ type: "click", target: { selector: "#p", point: { x: 45, y: 9 } }, clickCount });
  await click(2);
  expect(String(await page.page.evaluate(selected)).trim()).toBe("word");
  const times = await page.page.evaluate<[number, number][]>("times");
  expect(times.map(([nth]) => nth)).toEqual([1, 2]);
  expect((times[1]?.[1] ?? 0) - (times[0]?.[1] ?? 0)).toBeGreaterThanOrEqual(20);
  await click(3);
  expect(String(await page.page.evaluate(selected)).trim()).toBe("first word");
});

test("a double click selects a word in a field, and nothing where selection is off", async () => {
  const page = await browser.open(
    `<input id="i" value="some text" style="width:300px;font:16px monospace"><p id="off" style="user-select:none;width:200px">not this</p>`,
  );
  await page.run({ type: "click", target: { selector: "#i", point: { x: 15, y: 10 } }, clickCount: 2 });
  expect(String(await page.page.evaluate(selected)).trim()).toBe("some");
  await page.run({ type: "type", target: { selector: "#i" }, text: "new", clear: true });
  await page.run({ type: "click", target: { selector: "#off" }, clickCount: 2 });
  expect(await page.page.evaluate(selected)).not.toContain("this");
});

test("a click on a control keeps the selection and shows the focus as a click of the mouse does", async () => {
  const page =
    await browser.open(`<p id="p">some text</p><button id="button">Buy</button><a id="link" href="#x">Help</a>
    <button id="inner"><span>Inner</span></button><input id="value" type="button" value="Value"><input id="check" type="checkbox">
    <input id="text"><input id="number" type="number" value="12"><textarea id="area"></textarea><div id="own" tabindex="0">own</div>`);
  for (const id of "button link inner value check text number area own".split(" ")) {
    for (const clickCount of [1, 2]) {
      const after = async (click: () => Promise<unknown>): Promise<unknown> => {
        await page.page.evaluate(() => {
          (document.activeElement as HTMLElement).blur();
          getSelection()?.selectAllChildren(document.querySelector("#p") as Element);
        });
        await click();
        return page.page.evaluate(() => [
          document.activeElement?.id,
          document.activeElement?.matches(":focus-visible"),
          String(getSelection()).trim(),
        ]);
      };
      const byMouse = await after(() => page.page.click(`#${id}`, { clickCount }));
      const where = `${clickCount} on ${id}`;
      const byEvents = await after(async () => {
        const answer = await page.run({ type: "click", target: { selector: `#${id}` }, clickCount });
        expect(answer, where).toMatchObject({ ok: true });
      });
      expect(byEvents, where).toEqual(byMouse);
    }
  }
});

test("clipboard keys copy, cut and paste, and let the app do it in its own way", async () => {
  const page =
    await browser.open(`<input id="a" value="secret plan"><input id="b"><p id="p" tabindex="0">text</p>
    <div id="own" contenteditable onpaste="event.preventDefault(); this.textContent = 'own ' + event.clipboardData.getData('text/plain')"></div>`);
  const press = (key: string, selector: string) => page.run({ type: "press", key, target: { selector } });
  const value = (id: string) => page.page.evaluate(`${id}.value ?? ${id}.textContent`);
  expect((await press("Control+v", "#b")).message).toContain("a page cannot trigger");
  await press("Control+a", "#a");
  await press("Control+c", "#a");
  await press("Control+v", "#b");
  expect(await value("b")).toBe("secret plan");
  await press("Control+a", "#a");
  await press("Control+x", "#a");
  expect(await value("a")).toBe("");
  await press("Control+v", "#own");
  expect(await value("own")).toBe("own secret plan");
});

test("hover says that CSS :hover does not apply in an SDK session", async () => {
  const page = await browser.open(`<style>b{display:none} div:hover b{display:block}</style>
    <div id="d" onmouseenter="document.title='entered'">Menu <b>Item</b></div>`);
  const { message } = await page.run({ type: "hover", target: { selector: "#d" } });
  expect(message).toContain("CSS :hover");
  expect(await page.page.title()).toBe("entered");
  expect(await page.page.isVisible("b")).toBe(false);
});
