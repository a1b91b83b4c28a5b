/**
 * The dashboard in the real Chromium with a recording of 1,000,000 records, and with a session that gets 5,000 records a
 * second: how fast it shows them, whether it ever holds up the person, and what it keeps in memory.
 */
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { startHub } from "@debug-bridge/server";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../lib/chromium.mjs";
import { figure } from "../lib/figure.mjs";

const RECORDS = Number(process.env.RECORDS ?? 1_000_000);
const RATE = 5_000;
const LIVE_SECONDS = 10;
const ID = "debug_20260101_000000_aaaa";
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css" };

const file = (name) => fileURLToPath(import.meta.resolve(`@debug-bridge/dashboard/${name}`));
const home = mkdtempSync(join(tmpdir(), "debug-bridge-bench-dashboard-"));
await writeRecording(join(home, "debug/sessions", ID));

figure({
  ...{ name: "dashboard: JavaScript of the first load, gzip", unit: "KB", limit: 150 },
  value: gzipSync(readFileSync(file("dashboard.js")), { level: 9 }).length / 1_024,
});

const assets = ["index.html", "dashboard.js", "dashboard.css"].map((name) => [
  name === "index.html" ? "/" : `/${name}`,
  { file: file(name), type: `${TYPES[name.split(".")[1]]}; charset=utf-8`, isStrict: true },
]);
const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home, assets: new Map(assets) });
const { executablePath, args } = CHROMIUM;
const browser = await chromium.launch({
  executablePath,
  args: [...args, "--enable-precise-memory-info"],
});
const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
await page.addInitScript(observeTasks);

await measureFirstView();
await measureLongTimeline();
await measureLive();

await browser.close();
await hub.close();
rmSync(home, { recursive: true, force: true });

async function measureFirstView() {
  await page.goto(`${hub.url}/#token=${hub.token}&recording=${ID}`);
  await page.locator(".row .text").first().waitFor();
  const shown = await page.evaluate(() => {
    const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
    return globalThis.firstRowAt - loadEventEnd;
  });
  figure({
    ...{
      name: "dashboard: first view of 1,000,000 records after load",
      value: shown,
      unit: "ms",
      limit: 500,
    },
  });
}

async function measureLongTimeline() {
  const started = performance.now();
  await page.getByText(/^[\d,]+ shown of [\d,]+ records$/).waitFor({ timeout: 300_000 });
  const readMs = performance.now() - started;
  await page.evaluate(scroll);
  const scrolling = await longest();
  const filters = [];
  for (const text of ["basket 99", "orders", "500"]) {
    const from = performance.now();
    await page.getByRole("searchbox", { name: "Filter records" }).fill(text);
    await page.waitForFunction(
      (wanted) => location.hash.includes(wanted),
      new URLSearchParams({ text }).toString(),
    );
    await page.getByText(/^[\d,]+ of [\d,]+ records$/).waitFor({ timeout: 300_000 });
    filters.push(`“${text}” ${Math.round(performance.now() - from)} ms`);
  }
  const filtering = await longest();
  await page.getByRole("searchbox", { name: "Filter records" }).fill("");
  await page.getByText(/^[\d,]+ shown of [\d,]+ records$/).waitFor({ timeout: 300_000 });
  figure({
    ...{ name: "dashboard: longest task while scrolling", value: scrolling, unit: "ms", limit: 50 },
    note: "0: none reached 50 ms; jumps through the whole list and scrolls in it",
  });
  figure({
    ...{ name: "dashboard: longest task while filtering", value: filtering, unit: "ms", limit: 50 },
    note: `0: none reached 50 ms; the hub had read all of it after ${Math.round(readMs)} ms, filters: ${filters.join(", ")}`,
  });
  figure({
    ...{ name: "dashboard: memory of the page with 1,000,000 records", unit: "MB", limit: 300 },
    value: await heap(),
    note: `the hub that pages through it: ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  });
}

/** In the page: jumps through the list, and scrolls in each place. */
async function scroll() {
  const list = document.querySelector(".record-list");
  // The task in which this code was compiled is not one of the page.
  await new Promise((resolve) => setTimeout(resolve, 300));
  globalThis.tasks.splice(0);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let part = 0; part <= 10; part++) {
    list.scrollTop = (list.scrollHeight * part) / 10;
    for (let i = 0; i < 30; i++) {
      list.scrollTop += 120;
      await frame();
    }
  }
}

async function measureLive() {
  const app = hub.joinAsApp("busy");
  const send = (message) =>
    app.send(JSON.stringify({ sessionId: "busy", timestamp: Date.now(), origin: "app", ...message }));
  send({ type: "hello", url: "http://localhost/", userAgent: "bench", protocolVersion: 1 });
  send({ type: "console", level: "log", args: ["first"] });
  await page.goto(`${hub.url}/#session=busy`);
  await page.getByText("console.log first").waitFor();
  await page.evaluate(() => globalThis.tasks.splice(0));
  const delays = [];
  const began = performance.now();
  let sent = 0;
  while (performance.now() - began < LIVE_SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - began) * RATE) / 1_000);
    for (; sent < due; sent++) send({ type: "console", level: "log", args: [`live ${Date.now()} ${sent}`] });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (delays.length < (performance.now() - began) / 500) delays.push(await behind());
  }
  send({ type: "console", level: "log", args: ["the last one"] });
  const ended = performance.now();
  await page.getByText("console.log the last one").waitFor();
  delays.sort((a, b) => a - b);
  figure({
    ...{
      name: "dashboard: live at 5,000 records a second, the last one shown after",
      unit: "ms",
      limit: 1_000,
    },
    value: performance.now() - ended,
    note: `${sent} records in ${LIVE_SECONDS} s; the newest row on the screen was ${delays[delays.length >> 1]} ms old (median), ${delays.at(-1)} ms at most; longest task ${await longest()} ms (0: none reached 50 ms)`,
  });
  app.close();
}

/** How old the newest row on the screen is. */
function behind() {
  return page.evaluate(() => {
    const times = [...document.querySelectorAll(".row .text")].map(({ textContent }) =>
      Number(/live (\d+)/.exec(textContent)?.[1] ?? 0),
    );
    const newest = Math.max(0, ...times);
    return newest === 0 ? 0 : Date.now() - newest;
  });
}

function observeTasks() {
  globalThis.tasks = [];
  new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries())).observe({
    type: "longtask",
  });
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector(".row .text")) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      globalThis.firstRowAt = performance.now();
    });
  }).observe(document, { childList: true, subtree: true });
}

async function longest() {
  await page.waitForTimeout(300);
  return page.evaluate(() => Math.max(0, ...globalThis.tasks.splice(0).map(({ duration }) => duration)));
}

async function heap() {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await page.evaluate(() => performance.memory.usedJSHeapSize)) / 1e6;
}

async function writeRecording(folder) {
  mkdirSync(folder, { recursive: true });
  const startTime = "2026-01-01T00:00:00.000Z";
  const about = { id: ID, pid: 1, startTime, endTime: startTime, cwd: "/", kind: "app", name: "long" };
  writeFileSync(join(folder, "session.json"), JSON.stringify(about));
  const out = createWriteStream(join(folder, "events.jsonl"));
  for (let from = 1; from <= RECORDS; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, i) => recordLine(from + i));
    if (!out.write(`${lines.join("\n")}\n`)) await new Promise((resolve) => out.once("drain", resolve));
  }
  out.end();
  await finished(out);
}

/** One of ten records is a click, with the request that it caused; the others are console lines and states. */
function recordLine(sequence) {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + sequence * 20).toISOString();
  const part = sequence % 10;
  const head = { timestamp, sessionId: "long", sequence };
  if (part === 1)
    return JSON.stringify({ type: "command", ...head, data: { type: "click", target: { text: "Buy" } } });
  if (part < 4 && part > 1) {
    const phase = part === 2 ? "request" : "response";
    const request = {
      id: `r${sequence - part}`,
      phase,
      api: "fetch",
      method: "POST",
      url: "http://localhost/orders",
    };
    const data = { ...request, status: sequence % 100 === 3 ? 500 : 200, durationMs: 12 };
    return JSON.stringify({ type: "network", ...head, causedBy: sequence - part + 1, data });
  }
  if (part < 8) {
    const text = `basket ${sequence} changed`;
    return JSON.stringify({
      type: "console",
      ...head,
      data: { level: "log", text, args: [text], source: "sdk" },
    });
  }
  return JSON.stringify({
    type: "state_update",
    ...head,
    data: { scope: "basket", state: { total: sequence } },
  });
}
