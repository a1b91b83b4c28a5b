import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const SHOW = `function show(text, ms) {
  const toast = Object.assign(document.createElement("div"), { className: "toast", textContent: text });
  document.body.append(toast);
  setTimeout(() => toast.remove(), ms);
}`;

describe("a text that comes and goes", () => {
  test("while an action settles is in its receipt", async () => {
    const page = await browser.open(
      `<button onclick="show('Saved', 500)">Save</button><script>${SHOW}</script>`,
    );
    const { receipt } = await page.run({
      type: "click",
      target: { text: "Save" },
      settle: { quietMs: 900, maxMs: 8_000 },
    });
    expect(receipt?.text).toEqual({ added: [], removed: [], passing: ["Saved"] });
  });

  test("as a step of a text that stays is in it too", async () => {
    const page = await browser.open(`<p id="out">Ready</p>
      <button onclick="out.textContent = 'Saving'; setTimeout(() => out.textContent = 'Done', 500)">Save</button>`);
    const { receipt } = await page.run({
      type: "click",
      target: { text: "Save" },
      settle: { quietMs: 900, maxMs: 8_000 },
    });
    expect(receipt?.text).toEqual({ added: ["Done"], removed: ["Ready"], passing: ["Saving"] });
  });

  test("in a part of the page is reported by its line, without the rest of that part", async () => {
    const page = await browser.open(`<style>.hide { display: none } .open .hide { display: block }</style>
      <main id="main"><p>Please press <a href="#a">Help</a> first.</p><p class="hide">Card was declined</p><p>End</p></main>
      <button onclick="main.className = 'open'; setTimeout(() => main.className = '', 500)">Pay</button>`);
    const { receipt } = await page.run({
      type: "click",
      target: { text: "Pay" },
      settle: { quietMs: 900, maxMs: 8_000 },
    });
    expect(receipt?.text).toEqual({ added: [], removed: [], passing: ["Card was declined"] });
  });

  test("between two looks is in the timeline, and in what changed since", async () => {
    const page = await browser.open(`<p>Quiet</p><script>${SHOW}</script>`);
    await page.announce();
    const { value } = await page.run({ type: "request_ui_tree", format: "text" });
    const { version } = value as { version: number };
    await page.page.evaluate(() =>
      (globalThis as unknown as { show: (...args: unknown[]) => void }).show("Saved", 500),
    );
    const record = await page.waitForMessage("passing_text");
    expect(record).toMatchObject({ text: "Saved" });
    expect(record.durationMs).toBeGreaterThan(100);
    const later = await page.run({ type: "request_ui_tree", format: "text", since: version });
    expect(later.result).toBe('± "Saved" came and went');
  });

  test("hidden by its class counts as gone, if it is announced", async () => {
    const page = await browser.open(`<style>#at { display: none } #at.on { display: block }</style>
      <div id="at" role="status">Link copied</div>`);
    await page.announce();
    await page.page.evaluate(() => {
      const at = document.getElementById("at") as Element;
      at.classList.add("on");
      setTimeout(() => at.classList.remove("on"), 500);
    });
    expect(await page.waitForMessage("passing_text")).toMatchObject({ text: "Link copied" });
  });

  test("is masked where it is private, and not reported when it was never seen", async () => {
    const page = await browser.open(`<div id="at" data-bridge-mask></div><script>${SHOW}</script>`);
    await page.announce();
    await page.page.evaluate(() => {
      const at = document.getElementById("at") as Element;
      at.innerHTML = "<p role=alert>PIN 4711</p>";
      setTimeout(() => at.replaceChildren(), 500);
      const unseen = Object.assign(document.createElement("p"), { textContent: "Never seen", hidden: true });
      document.body.append(unseen);
      setTimeout(() => unseen.remove(), 100);
    });
    expect(await page.waitForMessage("passing_text")).toMatchObject({ text: "•••" });
    expect(JSON.stringify(await page.messages("passing_text"))).not.toMatch(/4711|Never/);
  });
});

test("a page that blinks does not fill the timeline", async () => {
  const page = await browser.open(`<div id="at"></div>`);
  await page.announce();
  await page.page.evaluate(async () => {
    const at = document.getElementById("at") as Element;
    for (let i = 0; i < 60; i++) {
      at.innerHTML = `<p role=status>Tick ${i}</p>`;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });
  const count = (await page.messages("passing_text")).length;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(20);
});
