import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** A part that removes what it made before its next version is loaded, in code of the app or in that of a package. */
const files = (dispose: string) => ({
  "index.html": '<!doctype html><h1>Shop</h1><main></main><script type="module" src="/src/main.js"></script>',
  "src/main.js": 'import "./part.js";\n',
  "src/part.js": `import { atEnd } from "./at-end.js";
const root = document.querySelector("main");
root.innerHTML = "<p>Old price</p><button>Pay</button>";
const clear = () => root.replaceChildren();
${dispose}
import.meta.hot?.accept();
`,
  "src/at-end.js":
    'const name = ["dis", "pose"].join("");\nexport const atEnd = (hot, run) => hot[name](run);\n',
});

test("a page that code clears before it is replaced is read before that", async () => {
  const { save, receipt } = await startLoop(browser, files("import.meta.hot?.dispose(clear);"));
  save("src/part.js", "Old price", "New price");
  const text = await receipt();
  expect(text).toContain('- "Old price"');
  expect(text).toContain('+ "New price"');
  expect(text).not.toContain("+ e");
});

test("when nobody could know that, the receipt says that nothing is known, and the next one is right", async () => {
  const { save, receipt } = await startLoop(browser, files("atEnd(import.meta.hot, clear);"));
  save("src/part.js", "Old price", "New price");
  expect(await receipt()).toContain("the page did not report what changed");
  // The watcher of Vite takes a second change of a file within 50 ms for a part of the first.
  await new Promise((resolve) => setTimeout(resolve, 100));
  save("src/part.js", "New price", "Last price");
  const text = await receipt();
  expect(text).toContain('- "New price"');
  expect(text).toContain('+ "Last price"');
});
