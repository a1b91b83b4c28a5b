import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

describe("what a page announces after an action is in its receipt", () => {
  const ways = {
    "an alert that appears": [
      `<div id="at"></div>`,
      `at.innerHTML = '<p role="alert">Could not <b>save</b></p>'`,
      "[alert] ",
    ],
    "a status that gets a text": [
      `<div id="at" role="status"></div>`,
      `at.textContent = "Could not save"`,
      "[status] ",
    ],
    "an alert that is shown": [
      `<p id="at" role="alert" hidden>Could not save</p>`,
      `at.hidden = false`,
      "[alert] ",
    ],
    "a toast in a region that is read out": [
      `<section id="at" aria-live="polite" aria-label="Messages"></section>`,
      `at.innerHTML = "<ol><li>Could not save</li></ol>"`,
      "",
    ],
    "an alert inside such a region, once": [
      `<section id="at" aria-live="polite"></section>`,
      `at.innerHTML = '<div role="alert">Could not save</div>'`,
      "[alert] ",
    ],
    "an output": [`<p><output id="at"></output></p>`, `at.value = "Could not save"`, ""],
    "an alert in a shadow root": [
      `<div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = "<p role=alert></p>"</script>`,
      `host.shadowRoot.firstChild.textContent = "Could not save"`,
      "[alert] ",
    ],
  } as const;
  for (const [what, [html, code, role]] of Object.entries(ways)) {
    test(what, async () => {
      const page = await browser.open(
        `<button onclick="go()">Save</button>${html}<script>function go() { ${code} }</script>`,
      );
      const { receipt } = await page.run({ type: "click", target: { text: "Save" } });
      expect(receipt?.text).toEqual({ added: [`${role}Could not save`], removed: [], passing: [] });
    });
  }

  test("and what it announced before, or hides, is not", async () => {
    const page =
      await browser.open(`<p role="alert">Old news</p><p role="status" data-bridge-mask id="secret"></p>
      <p role="alert" style="display:none" id="hidden"></p>
      <button onclick="secret.textContent = 'Your PIN is 4711'; hidden.textContent = 'not shown'">Save</button>`);
    const { receipt } = await page.run({ type: "click", target: { text: "Save" } });
    expect(receipt?.text?.added).toEqual(["•••"]);
    const again = await page.run({ type: "click", target: { text: "Save" } });
    expect(again.receipt?.text).toBeUndefined();
  });
});
