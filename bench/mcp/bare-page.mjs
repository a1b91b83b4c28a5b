/** What the platform itself takes on a page, over CDP and with nothing of ours: the bare limit of looking and acting. */
import { chromium } from "playwright-core";
import { CHROMIUM } from "../lib/chromium.mjs";

/** Runs in the page: two frames, then where one element is, as anybody must who reports what a click did. */
const AFTER = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
  resolve(document.getElementById("total").getBoundingClientRect().x))))`;
/** Runs in the page: visits every element once. */
const WALK = `(() => { const walker = document.createTreeWalker(document, 1); let n = 0;
  while (walker.nextNode()) n++; return n; })()`;

/** A Chromium without anything attached but a CDP session. */
export async function startBare() {
  const browser = await chromium.launch(CHROMIUM);
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const cdp = await page.context().newCDPSession(page);
  const evaluate = (expression) => cdp.send("Runtime.evaluate", { expression, awaitPromise: true });
  const mouse = (type, point) =>
    cdp.send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: 1 });
  const middleOf = async (selector) => {
    const { x, y, width, height } = await page.locator(selector).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  return {
    /** Goes to a URL and returns where its buttons are. */
    async open(url) {
      await page.goto(url);
      return { add: await middleOf("#add"), row: await middleOf("#row") };
    },
    empty: () => evaluate("0"),
    walk: () => evaluate(WALK),
    async click(point) {
      await mouse("mouseMoved", point);
      await mouse("mousePressed", point);
      await mouse("mouseReleased", point);
      await evaluate(AFTER);
    },
    close: () => browser.close(),
  };
}
