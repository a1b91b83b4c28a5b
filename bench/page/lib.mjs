import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { CHROMIUM } from "../lib/chromium.mjs";
import { figure } from "../lib/figure.mjs";

export { median } from "../lib/figure.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Prints one figure, rounded before it is compared with its limit; `note` says what was measured beside it. */
export function report(name, value, unit, limit, atMost = true, note, platform) {
  figure({ name, value, unit, limit, atLeast: !atMost, note, platform });
}

/** Runs `work` with a page of the installed Chromium, and closes it whatever happens. */
export async function withBrowser(work) {
  const browser = await chromium.launch(CHROMIUM);
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** The engine as one minified script with the global `DebugBridgePage`. */
export async function engineScript() {
  const output = await build({
    configFile: false,
    root,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      minify: !process.env.NOMIN,
      lib: {
        entry: `${root}packages/page/dist/index.js`,
        name: "DebugBridgePage",
        formats: ["iife"],
        fileName: "page",
      },
    },
  });
  return [output].flat()[0].output[0].code;
}

/** A page with HTML and a started engine as `engine`; without one when `engine` is false. */
export async function openPage(browser, html, { engine = true, announce = true } = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.route("http://bench.test/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><meta charset="utf-8"><body>${html}</body>`,
    }),
  );
  if (engine) {
    await page.addInitScript(`${await engineScript()}
      globalThis.sent = 0; globalThis.DebugBridgePage = DebugBridgePage;
      globalThis.engine = DebugBridgePage.createPageEngine({ enableEval: true, emit: (message) => { sent += JSON.stringify(message).length; } });
      engine.start();
      globalThis.run = (command) => engine.run({ sessionId: "s", timestamp: Date.now(), origin: "agent", ...command }, new AbortController().signal);`);
  }
  await page.goto("http://bench.test/");
  if (engine && announce) await page.evaluate(() => globalThis.engine.announce());
  return page;
}

export const readBuilt = (path) => readFile(`${root}${path}`);

/** Inserts three elements for each item, 12,000 by default; the time until they are drawn, in milliseconds. Runs in a page. */
export const insert = (items = 4_000) =>
  new Promise((resolve) => {
    const started = performance.now();
    const list = document.createElement("ul");
    document.body.append(list);
    for (let i = 0; i < items; i++) {
      const item = document.createElement("li");
      const name = document.createElement("span");
      name.textContent = `Item ${i}`;
      const button = document.createElement("button");
      button.textContent = "Open";
      item.append(name, button);
      list.append(item);
    }
    list.getBoundingClientRect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - started);
      channel.port2.postMessage(0);
    });
  });
