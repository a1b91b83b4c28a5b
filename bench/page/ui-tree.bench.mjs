/** The UI tree of a page with 3,000 interactive elements: the first, built at once or in pieces; again; after one change. */
import { median, openPage, report, withBrowser } from "./lib.mjs";

const FRESH_PAGES = 7;
const rows = Array.from(
  { length: 1_000 },
  (_, i) =>
    `<li><label for="f${i}">Field ${i}</label> <button class="btn">Edit ${i}</button><a href="#${i}"><b>Open</b> ${i}</a></li>`,
).join("");
const page = (browser) => openPage(browser, `<h1>All</h1><ul>${rows}</ul>`, { announce: false });

/** Medians of what is measured in fresh pages, where nothing is warm yet. */
async function inFreshPages(browser, measure) {
  const all = [];
  for (let i = 0; i < FRESH_PAGES; i++) {
    const fresh = await page(browser);
    await fresh.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))),
    );
    all.push(await fresh.evaluate(measure));
    await fresh.close();
  }
  return Object.keys(all[0]).map((name) => median(all.map((each) => each[name])));
}

/** Somebody asks for the tree before the engine had a moment to itself. */
function askedAtOnce() {
  const started = performance.now();
  engine.view.tree.refresh().items();
  return { ms: performance.now() - started };
}

/** What Chrome itself takes for what a tree cannot do without: style, box and text of each element, once, in a fresh page. */
function bareReads() {
  const started = performance.now();
  let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { visibility, cursor, display } = getComputedStyle(node);
    const { width } = node.getBoundingClientRect();
    if (visibility && cursor && display && width >= 0 && node.textContent) seen++;
  }
  return { ms: performance.now() - started, seen };
}

/** As it is in an app: made in pieces once there is a connection. The longest wait is what the app feels of it. */
async function madeByAndBy() {
  const { port1, port2 } = new MessageChannel();
  let [longest, last, over] = [0, performance.now(), false];
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) port2.postMessage(0);
  };
  port2.postMessage(0);
  engine.announce();
  while (sent < 500_000) await new Promise((resolve) => setTimeout(resolve, 5));
  over = true;
  const started = performance.now();
  await run({ type: "request_ui_tree" });
  return { longest, ms: performance.now() - started };
}

await withBrowser(async (browser) => {
  const [bare] = await inFreshPages(browser, bareReads);
  const [first] = await inFreshPages(browser, askedAtOnce);
  const [longest, asked] = await inFreshPages(browser, madeByAndBy);
  const warm = await page(browser);
  const again = await warm.evaluate(() => {
    const times = [];
    for (let round = 0; round < 9; round++) {
      const fresh = DebugBridgePage.createPageEngine({ emit() {} });
      const started = performance.now();
      fresh.view.tree.refresh().items();
      times.push(performance.now() - started);
      fresh.stop();
    }
    return times.slice(1);
  });
  const bareAgain = await warm.evaluate(bareReads);
  // A separate page: engines of one page share their version numbers, so none of those above has a complete history.
  const changing = await page(browser);
  const { times, items } = await changing.evaluate(async () => {
    const items = engine.view.tree.refresh().items().length;
    const times = [];
    for (let round = 0; round < 30; round++) {
      const button = document.querySelectorAll("button")[round * 7];
      button.textContent = `Changed ${round}`;
      // The page's own work for the change is not ours: the frame that shows it comes first.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const { version } = engine.view.tree;
      const started = performance.now();
      const { changed } = engine.view.tree.refresh().since(version);
      times.push(performance.now() - started);
      if (changed.length !== 1) throw new Error(`${changed.length} changes`);
    }
    return { times, items };
  });
  console.error(`${items} items, delta worst ${Math.max(...times).toFixed(1)}`);
  const alone = (ms) => [true, `Chrome alone, style, box and text of each element: ${ms.toFixed(1)} ms`, ms];
  report(
    "first ui tree of 3,000 interactive elements in a fresh page, asked for at once",
    ...[first, "ms", 60],
    ...alone(bare),
  );
  report("first ui tree made in pieces: the longest that the app waits", longest, "ms", 50);
  report("ui tree of 3,000 interactive elements, asked for when it was made", asked, "ms", 60);
  report(
    "ui tree of 3,000 interactive elements, built again",
    ...[median(again), "ms", 60],
    ...alone(bareAgain.ms),
  );
  report("ui tree delta after one change", median(times), "ms", 5);
});
