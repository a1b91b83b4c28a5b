/**
 * A click with its receipt, in a page that reacts at once. Beside it, what the browser alone takes for what a receipt cannot do
 * without: the same click, two frames after it, and the style, box and text of each element before and after.
 */
import { median, openPage, report, withBrowser } from "./lib.mjs";

const page = `<h1>Counter</h1><p id="n">0</p>${"<button>Other</button>".repeat(200)}
  <button id="add" onclick="n.textContent = Number(n.textContent) + 1; this.ariaLabel = 'Add ' + n.textContent">Add</button>`;

/** In turns, so that a busy machine slows both alike. */
async function inTurns() {
  const looks =
    "visibility borderWidth borderStyle borderColor backgroundColor backgroundImage boxShadow outlineStyle opacity filter transform clipPath zIndex color font textDecorationLine".split(
      " ",
    );
  const readAll = () => {
    for (const element of document.body.querySelectorAll("*")) {
      const style = getComputedStyle(element);
      for (const name of looks) if (style[name] === undefined) throw new Error(name);
      for (const pseudo of ["::before", "::after"]) if (!getComputedStyle(element, pseudo).content) return;
      const range = document.createRange();
      range.selectNodeContents(element);
      if (!element.checkVisibility() || !element.getBoundingClientRect() || !range.getBoundingClientRect())
        return;
    }
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const ours = async () => {
    const { receipt } = await run({ type: "click", target: { selector: "#add" } });
    if (!receipt.settled || receipt.changed?.length !== 1) throw new Error(JSON.stringify(receipt));
  };
  const bare = async () => {
    readAll();
    document.querySelector("#add").click();
    await frame();
    await frame();
    readAll();
  };
  const times = { ours: [], bare: [] };
  for (let round = 0; round < 25; round++) {
    for (const [name, click] of Object.entries({ ours, bare })) {
      const started = performance.now();
      await click();
      times[name].push(performance.now() - started);
    }
  }
  return times;
}

await withBrowser(async (browser) => {
  const tab = await openPage(browser, page);
  const { ours, bare } = await tab.evaluate(inTurns);
  const note = `the browser alone: ${median(bare).toFixed(1)} ms`;
  report("click with receipt", median(ours), "ms", 60, true, note, median(bare));
});
