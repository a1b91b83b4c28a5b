import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { type Loop, startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const BUTTONS = 60;
const FILES = {
  "index.html": `<!doctype html><style>#late { color: rgb(1, 1, 1) }</style>
<h1></h1><p id="late">Late</p><p id="other">Other</p><input aria-label="Name"><main></main>
<script type="module" src="/src/main.js"></script>`,
  // Counts how often the page is read: only then is it asked where each text is.
  "src/counts.js": `const counts = window.counts = { all: 0, duringUpdates: 0 };
let isUpdating = false;
const create = document.createRange;
document.createRange = () => {
  counts.all++;
  if (isUpdating) counts.duringUpdates++;
  return create.call(document);
};
import.meta.hot.on("vite:beforeUpdate", () => { isUpdating = true; });
import.meta.hot.on("vite:afterUpdate", () => { isUpdating = false; });
`,
  "src/text.js": `export const text = "Version 1";
if (import.meta.hot) import.meta.hot.accept((module) => { document.querySelector("h1").textContent = module.text; });
`,
  "src/main.js": `import "./counts.js";
import { text } from "./text.js";
document.querySelector("h1").textContent = text;
for (let n = 0; n < ${BUTTONS}; n++) document.querySelector("main").append(Object.assign(document.createElement("button"), { textContent: "Button " + n }));
`,
};

const counted = (page: Page): Promise<{ all: number; duringUpdates: number }> =>
  page.evaluate(() => (window as unknown as { counts: { all: number; duringUpdates: number } }).counts);

/** A page that was read because something changed, and in which nothing happens. */
async function quietPage(): Promise<Loop> {
  const loop = await startLoop(browser, FILES, { plugins: [] });
  await change(loop.page);
  return loop;
}

/** After a change, a page is read within this time, if it is not busy. */
const READ_MS = 3_000;

/** Changes the page and waits until it was read because of that, and no receipt reads it any more. */
async function change(page: Page): Promise<void> {
  let { all } = await counted(page);
  let since = Date.now();
  await page.evaluate(() => {
    const other = document.querySelector("#other") as HTMLElement;
    other.textContent = `${other.textContent} again`;
  });
  await until(async () => (await counted(page)).all > all + BUTTONS);
  await until(async () => {
    const now = await counted(page);
    if (now.all !== all) since = Date.now();
    all = now.all;
    return Date.now() - since > READ_MS;
  });
}

test("new code does not wait until a page that is quiet was read", async () => {
  const { page, save, receipt } = await quietPage();
  save("src/text.js", "Version 1", "Version 2");
  const text = await receipt();
  expect(text).toContain('- "# Version 1"');
  expect(text).toContain('+ "# Version 2"');
  expect(await counted(page)).toMatchObject({ duringUpdates: 0 });
  await change(page);
  save("src/text.js", "Version 2", "Version 3");
  expect(await receipt()).toContain('+ "# Version 3"');
  expect(await counted(page)).toMatchObject({ duringUpdates: 0 });
});

/** What happens right before an edit, without a change of the document that is reported, and would be said of the edit. */
const BEFORE: readonly [what: string, run: () => void, wrong: RegExp][] = [
  [
    "a rule of style that a script adds",
    () => document.styleSheets[0]?.insertRule("#late { color: rgb(200, 0, 0) !important }", 1),
    /color/,
  ],
  [
    "a style that a script adopts",
    () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("#late { background: rgb(0, 200, 0) }");
      document.adoptedStyleSheets = [sheet];
    },
    /background/,
  ],
  [
    "what a script writes into a field",
    () => {
      (document.querySelector("input") as HTMLInputElement).value = "Ada";
    },
    /Ada|Name/,
  ],
  [
    "a text that changed",
    () => {
      (document.querySelector("#late") as HTMLElement).textContent = "Later";
    },
    /Late/,
  ],
];

test.each(BEFORE)("%s is no effect of an edit that comes right after it", async (_what, run, wrong) => {
  const { page, save, receipt } = await quietPage();
  await page.evaluate(run);
  save("src/text.js", "Version 1", "Version 2");
  const text = await receipt();
  expect(text).toContain('+ "# Version 2"');
  expect(text).not.toMatch(wrong);
});
