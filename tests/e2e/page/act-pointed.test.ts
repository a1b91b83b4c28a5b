import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

describe("elements that only a listener makes clickable", () => {
  test("[APP-017] are in the tree once, if the cursor is a pointer", async () => {
    const page = await browser.open(`<style>.hand { cursor: pointer }</style>
      <main tabindex="-1"><div class="hand" id="card"><h3>Plan</h3><p>Monthly <b>plan</b></p></div>
      <div class="hand"><button>Wrapped</button></div>
      <button class="hand"><span>Plain <i>button</i></span></button>
      <label class="hand"><input type="checkbox"> Agree</label>
      <ul><li class="hand">Ada</li><li class="hand">Bob</li></ul><p>Just text</p></main>
      <script>card.addEventListener("click", () => { document.title = "card"; });
        for (const li of document.querySelectorAll("li")) li.addEventListener("click", () => { document.title = li.textContent; });</script>`);
    expect((await page.tree()).map(({ role, text }) => `${role} ${text}`)).toEqual([
      "main Plan Monthly plan Wrapped Plain button Agree Ada Bob Just text",
      "div Plan Monthly plan",
      "button Wrapped",
      "button Plain button",
      "label Agree",
      "checkbox Agree",
      "listitem Ada",
      "listitem Bob",
    ]);
    const { ref } = await page.item(({ role, text }) => role === "div" && text !== "");
    expect(await page.run({ type: "click", target: { ref } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("card");
    const ada = await page.item(({ text }) => text === "Ada");
    expect(await page.run({ type: "click", target: { ref: ada.ref } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toBe("Ada");
    await page.page.evaluate(() => {
      (document.querySelector("li") as Element).textContent = "Zoe";
    });
    expect(await page.run({ type: "click", target: { ref: ada.ref } })).toMatchObject({ code: "stale_ref" });
    expect(await page.page.title()).toBe("Ada");
  });

  test("[APP-066] are found by a unique text", async () => {
    const page =
      await browser.open(`<div id="a"><span>Open <b>details</b></span></div><div>Twice</div><p>Twice</p><div hidden>Unseen</div><div>Unseen</div>
      <script>a.addEventListener("click", (e) => { document.title = "clicked " + e.target.localName; })</script>`);
    expect(await page.run({ type: "click", target: { text: "Open details" } })).toMatchObject({ ok: true });
    expect(await page.page.title()).toMatch(/^clicked (div|span|b)$/);
    expect(await page.run({ type: "click", target: { text: "Twice" } })).toMatchObject({
      code: "ambiguous_target",
    });
    expect(await page.run({ type: "click", target: { text: "Unseen" } })).toMatchObject({ ok: true });
    expect(await page.run({ type: "click", target: { text: "Open" } })).toMatchObject({
      code: "target_not_found",
    });
  });
});

test("a list whose options load late is waited for; one without options is reported", async () => {
  const page =
    await browser.open(`<button id="fruit" role="combobox" aria-expanded="false" aria-label="Fruit">None</button>
    <button role="combobox" aria-expanded="false" aria-label="Empty">None</button><script>
      fruit.onclick = () => setTimeout(() => {
        document.body.insertAdjacentHTML("beforeend", "<ul role=listbox id=list><li role=option>Apple</li><li role=option>Pear</li></ul>");
        fruit.setAttribute("aria-controls", "list");
        list.onclick = (event) => { fruit.textContent = event.target.textContent; list.remove(); };
      }, 300);
    </script>`);
  const answer = await page.run({ type: "select", target: { text: "Fruit" }, values: ["Pear"] });
  expect(answer).toMatchObject({ ok: true });
  expect(await page.page.textContent("#fruit")).toBe("Pear");
  const none = await page.run({ type: "select", target: { text: "Empty" }, values: ["Pear"] });
  expect(none).toMatchObject({
    ok: false,
    code: "target_not_found",
    message: expect.stringContaining("it has none"),
  });
});
