/**
 * What an agent waits for, through the whole product: client, hub, SDK in a real Chromium, and back. And what a person
 * would notice of it: long tasks while typing and scrolling in the React example, with and without the SDK.
 */
import { createServer } from "node:http";
import { connect } from "@debug-bridge/client";
import { encode } from "gpt-tokenizer";
import { chromium } from "playwright-core";
import { createServer as createVite } from "vite";
import { CHROMIUM } from "../lib/chromium.mjs";
import { figure, median } from "../lib/figure.mjs";
import { startHubProcess } from "./start-hub.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;

const rows = Array.from(
  { length: 100 },
  (_, i) =>
    `<tr><td><input type="checkbox" aria-label="Select order ${i}"></td><td>Order ${i}</td><td>Customer ${i}</td><td>${i * 7}.50 €</td>
     <td><button>Edit order ${i}</button> <button onclick="this.closest('tr').remove()">Delete order ${i}</button></td></tr>`,
).join("");

const hub = await startHubProcess();
const page = `<!doctype html><html><head><title>Orders</title><script src="${hub.url}/sdk.js" data-session="orders"></script></head>
  <body><h1>Orders</h1><button id="more" onclick="document.querySelector('#out').innerHTML += '<button>New</button>'">More</button>
  <p id="out"></p><table>${rows}</table></body></html>`;
const server = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "text/html" }).end(page),
);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch(CHROMIUM);

await measureAgent();
await measurePerson();
await browser.close();
server.closeAllConnections();
server.close();
await hub.stop();

async function measureAgent() {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  const app = await connect({ hub: hub.url, sessionId: "orders" });
  await app.act({ type: "wait_for", text: "Order 99", maxMs: 10_000 });
  const observe = await timed(60, () => app.observe());
  const { text } = await app.observe();
  figure({ name: "observe over the wire, 100-row table", value: median(observe), unit: "ms", limit: 15 });
  figure({
    name: "observe over the wire, real tokens by default",
    value: encode(text).length,
    unit: "tokens",
    limit: 2_000,
  });
  const clicks = await timed(30, () => app.act({ type: "click", target: { selector: "#more" } }));
  const platform = median(await tab.evaluate(bareClicks));
  figure({
    name: "click with receipt over the wire, page reacts at once",
    value: median(clicks),
    unit: "ms",
    limit: 60,
    platform,
    note: `the same click and two frames, in the page: ${platform.toFixed(1)} ms`,
  });
  app.close();
  await tab.close();
}

/** In the page: the click, and the frames that a receipt cannot do without. */
async function bareClicks() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const all = [];
  for (let i = 0; i < 25; i++) {
    const started = performance.now();
    document.querySelector("#more").click();
    await frame();
    await frame();
    all.push(performance.now() - started);
  }
  return all;
}

async function timed(times, call) {
  const all = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    await call();
    if (i >= 5) all.push(performance.now() - started);
  }
  return all;
}

async function measurePerson() {
  process.env.DEBUG_BRIDGE_HUB = hub.url;
  const root = `${ROOT}examples/shop-react`;
  const vite = await createVite({
    root,
    configFile: `${root}/vite.config.ts`,
    logLevel: "error",
    cacheDir: `${ROOT}.cache/vite/bench-shop`,
    server: { port: 0, host: "127.0.0.1" },
  });
  await vite.listen();
  const address = vite.resolvedUrls.local[0];
  const counts = {};
  for (const kind of ["without", "with"]) {
    const tab = await browser.newPage();
    if (kind === "without")
      await tab.route(/virtual:debug-bridge/, (route) =>
        route.fulfill({ contentType: "text/javascript", body: "" }),
      );
    await tab.goto(`${address}checkout`);
    await tab.getByLabel("Name").waitFor();
    await tab.waitForTimeout(1_500);
    counts[kind] = await longTasks(tab);
    await tab.close();
  }
  figure({
    name: "long tasks above 50 ms while typing and scrolling in the shop",
    value: Math.max(0, counts.with - counts.without),
    unit: "caused by the SDK",
    limit: 0,
    note: `${counts.with} with, ${counts.without} without`,
  });
  await vite.close();
}

async function longTasks(tab) {
  await tab.evaluate(() => {
    globalThis.seen = 0;
    new PerformanceObserver((list) => {
      globalThis.seen += list.getEntries().length;
    }).observe({ type: "longtask" });
    document.body.style.height = "20000px";
  });
  await tab
    .getByLabel("Name")
    .pressSequentially("The quick brown fox jumps over the lazy dog. ".repeat(4), { delay: 5 });
  for (let i = 0; i < 60; i++) await tab.mouse.wheel(0, 200);
  await tab.waitForTimeout(500);
  return tab.evaluate(() => globalThis.seen);
}
