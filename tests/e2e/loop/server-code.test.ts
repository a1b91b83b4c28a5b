import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import type { Plugin } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** A framework that renders pages with code that runs on the server, and is slow to begin with it. */
const rendering: Plugin = {
  name: "rendering",
  hotUpdate({ server }) {
    if (this.environment.name === "ssr") server.ws.send({ type: "full-reload" });
  },
  transformIndexHtml: {
    order: "pre",
    async handler(html, { server }) {
      await sleep(500);
      const loaded = await server?.ssrLoadModule("/src/text.js");
      return html.replace("TEXT", String(loaded?.text));
    },
  },
};

test("a page that a server renders after an edit shows the new code, however late it asks for it", async () => {
  const { page, save, receipt } = await startLoop(
    browser,
    {
      "index.html": '<!doctype html><h1>TEXT</h1><script type="module" src="/src/main.js"></script>',
      "src/main.js": "export {};\n",
      "src/text.js": 'export const text = "Old";\n',
    },
    { plugins: [rendering] },
  );
  save("src/text.js", "Old", "New");
  const text = await receipt();
  expect(text).toContain("edit src/text.js: full reload");
  expect(text).toContain('+ "# New"');
  expect(await page.textContent("h1")).toBe("New");
});
