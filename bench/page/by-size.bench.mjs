/** What looking and acting cost on pages of 1,000 to 100,000 elements, and how that grows with the page. */
import { exponent } from "../lib/exponent.mjs";
import { series } from "../lib/series.mjs";
import { median, openPage, report, withBrowser } from "./lib.mjs";

const SIZES = [1_000, 10_000, 30_000, 100_000];
const LIMITS = { observe: [10, 20, undefined, 60], click: [35, 40, undefined, 60] };

const html = (elements) => `<main><h1>Orders</h1><p>Total: <b id="total">0</b></p>
  <button id="add" onclick="total.textContent = Number(total.textContent) + 1">Add</button>
  <ul>${Array.from({ length: Math.round(elements / 3) }, (_, i) => `<li><span>Order ${i}</span> <button>Open ${i}</button></li>`).join("")}</ul></main>`;

await withBrowser(async (browser) => {
  const costs = { first: [], observe: [], click: [], bare: [] };
  for (const size of SIZES) {
    const page = await openPage(browser, html(size), { announce: false });
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))),
    );
    const times = await page.evaluate(async () => {
      const time = async (work) => {
        const started = performance.now();
        await work();
        return performance.now() - started;
      };
      const observe = () => run({ type: "request_ui_tree", format: "text" });
      const first = await time(observe);
      const again = [];
      for (let round = 0; round < 15; round++) again.push(await time(observe));
      const clicks = [];
      for (let round = 0; round < 15; round++)
        clicks.push(
          await time(async () => {
            const { receipt } = await run({ type: "click", target: { selector: "#add" } });
            if (receipt.text?.added.length !== 1) throw new Error(JSON.stringify(receipt));
          }),
        );
      // What the browser alone takes for the same click and the two frames after it.
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const bare = [];
      for (let round = 0; round < 15; round++)
        bare.push(
          await time(async () => {
            document.querySelector("#add").click();
            await frame();
            await frame();
          }),
        );
      return { first, again, clicks, bare };
    });
    costs.first.push(times.first);
    costs.observe.push(median(times.again));
    costs.click.push(median(times.clicks));
    costs.bare.push(median(times.bare));
    await page.close();
  }
  for (const [i, size] of SIZES.entries()) {
    const elements = `${size.toLocaleString("en")} elements`;
    const first = `the first ${costs.first[i].toFixed(0)} ms`;
    report(`observe of ${elements}`, costs.observe[i], "ms", LIMITS.observe[i], true, first);
    const bare = `the browser alone, click and two frames: ${costs.bare[i].toFixed(1)} ms`;
    report(
      `click with receipt, ${elements}`,
      costs.click[i],
      "ms",
      LIMITS.click[i],
      true,
      bare,
      costs.bare[i],
    );
  }
  const line = (name) => SIZES.map((size, i) => [size, costs[name][i]]);
  const lines = {
    "first observe": line("first"),
    observe: line("observe"),
    "click with receipt": line("click"),
  };
  series({ name: "Cost over DOM size in the page", x: "elements", y: "ms", lines });
  report("exponent of observe by elements", exponent(SIZES, costs.observe), "", 0.6);
  report("exponent of a click by elements", exponent(SIZES, costs.click), "", 0.3);
});
