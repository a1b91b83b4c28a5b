/** A click with its receipt, in a page that reacts at once. */
import { median, openPage, report, withBrowser } from "./lib.mjs";

const page = `<h1>Counter</h1><p id="n">0</p>${"<button>Other</button>".repeat(200)}
  <button id="add" onclick="n.textContent = Number(n.textContent) + 1; this.ariaLabel = 'Add ' + n.textContent">Add</button>`;

await withBrowser(async (browser) => {
  const tab = await openPage(browser, page);
  const times = await tab.evaluate(async () => {
    const times = [];
    for (let round = 0; round < 25; round++) {
      const started = performance.now();
      const { receipt } = await run({ type: "click", target: { selector: "#add" } });
      times.push(performance.now() - started);
      if (!receipt.settled || receipt.changed?.length !== 1) throw new Error(JSON.stringify(receipt));
    }
    return times;
  });
  report("click with receipt", median(times), "ms", 60);
});
