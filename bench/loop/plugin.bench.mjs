/** What the plugin costs: the start of a development server, a hot update, and the source of an element. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { HubClient, requireHub } from "@debug-bridge/client";
import { chromium } from "playwright-core";
import { startHubProcess } from "../hub/start-hub.mjs";
import { CHROMIUM } from "../lib/chromium.mjs";
import { figure, median } from "../lib/figure.mjs";
import { BUTTONS, createApp, save, startServer } from "./bench-app.mjs";

const START_ROUNDS = 12;
const UPDATE_ROUNDS = 15;
const MODES = ["without", "with"];

const apps = { with: createApp(), without: createApp() };
const closing = Object.values(apps).map((app) => () => rmSync(app, { recursive: true, force: true }));
try {
  await measureStart();
  const hub = await startHubProcess();
  closing.unshift(() => hub.stop());
  process.env.DEBUG_BRIDGE_HOME = hub.home;
  const browser = await chromium.launch(CHROMIUM);
  closing.unshift(() => browser.close());
  const pages = { with: await open(browser, "with"), without: await open(browser, "without") };
  await measureUpdates(pages);
  await measureSources();
} finally {
  for (const close of closing) await close();
}

/** Each start is a process of its own, with an empty cache; the two ways alternate, and take turns at being first. */
async function measureStart() {
  const times = { with: [], without: [] };
  for (let round = 0; round < START_ROUNDS; round++)
    for (const mode of round % 2 === 0 ? MODES : [...MODES].reverse()) {
      const env = { DEBUG_BRIDGE_HOME: join(apps[mode], "no-home") };
      const { ms, stop } = await startServer(apps[mode], mode, `.cache-${round}`, env);
      await stop();
      times[mode].push(ms);
    }
  const least = (mode) => Math.min(...times[mode]);
  const value = (least("with") / least("without") - 1) * 100;
  const note = `${Math.round(least("without"))} ms without`;
  figure({
    name: "cold start of a development server, more with the plugin",
    value,
    unit: "%",
    limit: 5,
    note,
  });
}

async function open(browser, mode) {
  const { url, stop } = await startServer(apps[mode], mode, ".vite");
  closing.unshift(stop);
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => document.querySelectorAll("button").length > 0);
  // The page connects, and loads what observes edits.
  if (mode === "with") await new Promise((resolve) => setTimeout(resolve, 3_000));
  return page;
}

/** From the save to the new text. Each app has a server and a page of its own, and they take turns, so that neither waits for the other. */
async function measureUpdates(pages) {
  const times = { with: [], without: [] };
  for (let round = 1; round <= UPDATE_ROUNDS; round++)
    for (const mode of round % 2 === 0 ? MODES : [...MODES].reverse()) {
      await pages[mode].bringToFront();
      const shown = pages[mode].evaluate(
        (wanted) =>
          new Promise((resolve) => {
            const heading = document.querySelector("h1");
            const watch = new MutationObserver(() => {
              if (heading.textContent === wanted) resolve(performance.timeOrigin + performance.now());
            });
            watch.observe(heading, { childList: true, characterData: true, subtree: true });
          }),
        `Version ${round}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      const saved = performance.timeOrigin + performance.now();
      save(apps[mode], round);
      times[mode].push((await shown) - saved);
      // What an update leads to is over before the next one.
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  const value = median(times.with) - median(times.without);
  const note = `${Math.round(median(times.without))} ms without`;
  figure({ name: "hot update, later with the plugin (median)", value, unit: "ms", limit: 10, note });
}

async function measureSources() {
  const client = new HubClient({ hub: () => requireHub() });
  const look = async (source) => {
    const startedAt = performance.now();
    const command = { type: "request_ui_tree", format: "text", maxTokens: 20_000, source };
    const { result } = await client.command("bench", command);
    if (source && !result.includes(`src/list.svelte:${BUTTONS}`)) throw new Error(result);
    return performance.now() - startedAt;
  };
  const more = [];
  for (let round = 0; round < 10; round++) more.push((await look(true)) - (await look(false)));
  const value = Math.max(0, median(more)) / BUTTONS;
  figure({ name: "source of an element", value, unit: "ms", limit: 2 });
}
