/** What the plugin costs: the start of a development server, a hot update, and the source of an element. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { debugBridge } from "@debug-bridge/browser/vite";
import { HubClient, requireHub } from "@debug-bridge/client";
import { chromium } from "playwright-core";
import { createServer } from "vite";
import { startHubProcess } from "../hub/start-hub.mjs";
import { CHROMIUM } from "../lib/chromium.mjs";
import { figure, median } from "../lib/figure.mjs";

const START_ROUNDS = 6;
const UPDATE_ROUNDS = 15;
const BUTTONS = 200;

const root = fileURLToPath(new URL("../../", import.meta.url));
mkdirSync(join(root, ".cache/projects"), { recursive: true });
const app = mkdtempSync(join(root, ".cache/projects/bench-"));
const text = (n) => `export const text = "Version ${n}";
if (import.meta.hot) import.meta.hot.accept((module) => { document.querySelector("h1").textContent = module.text; });
`;
mkdirSync(join(app, "src"));
writeFileSync(
  join(app, "index.html"),
  '<!doctype html><h1></h1><main></main><script type="module" src="/src/main.js"></script>',
);
writeFileSync(join(app, "src/text.js"), text(0));
writeFileSync(
  join(app, "src/main.js"),
  `import { text } from "./text.js";
document.querySelector("h1").textContent = text;
for (let n = 0; n < ${BUTTONS}; n++) {
  const button = document.createElement("button");
  button.textContent = "Button " + n;
  button.__svelte_meta = { loc: { file: "src/list.svelte", line: n + 1 } };
  document.querySelector("main").append(button);
}
`,
);

const closing = [() => rmSync(app, { recursive: true, force: true })];
try {
  measureStart();
  const hub = await startHubProcess();
  closing.unshift(() => hub.stop());
  process.env.DEBUG_BRIDGE_HOME = hub.home;
  const browser = await chromium.launch(CHROMIUM);
  closing.unshift(() => browser.close());
  const pages = { with: await open(browser, true), without: await open(browser, false) };
  await measureUpdates(pages);
  await measureSources();
} finally {
  for (const close of closing) await close();
}

/** Each start is a process of its own, with an empty cache; the two ways alternate. */
function measureStart() {
  const times = { with: [], without: [] };
  const program = fileURLToPath(new URL("start-server.mjs", import.meta.url));
  for (let round = 0; round < START_ROUNDS; round++)
    for (const mode of ["without", "with"]) {
      const cache = join(app, `.cache-${mode}-${round}`);
      const env = { ...process.env, DEBUG_BRIDGE_HOME: join(app, "no-home") };
      times[mode].push(Number(execFileSync(process.execPath, [program, app, cache, mode], { env })));
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

async function open(browser, hasPlugin) {
  const plugins = hasPlugin ? [debugBridge({ sessionId: "bench" })] : [];
  const server = await createServer({
    ...{ root: app, configFile: false, logLevel: "silent", plugins },
    cacheDir: join(app, `.vite-${hasPlugin}`),
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  closing.unshift(() => server.close());
  const page = await browser.newPage();
  await page.goto(server.resolvedUrls.local[0]);
  await page.waitForFunction(() => document.querySelectorAll("button").length > 0);
  // The page connects, and loads what observes edits.
  if (hasPlugin) await new Promise((resolve) => setTimeout(resolve, 3_000));
  return page;
}

/** From the save to the new text in both pages, which wait for the same save. */
async function measureUpdates(pages) {
  const more = [];
  for (let round = 1; round <= UPDATE_ROUNDS; round++) {
    const seen = (page) =>
      page.evaluate(
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
    const both = [seen(pages.with), seen(pages.without)];
    await new Promise((resolve) => setTimeout(resolve, 100));
    writeFileSync(join(app, "src/text.js"), text(round));
    const [withPlugin, without] = await Promise.all(both);
    more.push(withPlugin - without);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  figure({ name: "hot update, later with the plugin (median)", value: median(more), unit: "ms", limit: 10 });
}

async function measureSources() {
  const client = new HubClient({ hub: () => requireHub() });
  const look = async (source) => {
    const begun = performance.now();
    const command = { type: "request_ui_tree", format: "text", maxTokens: 20_000, source };
    const { result } = await client.command("bench", command);
    if (source && !result.includes(`src/list.svelte:${BUTTONS}`)) throw new Error(result);
    return performance.now() - begun;
  };
  const more = [];
  for (let round = 0; round < 10; round++) more.push((await look(true)) - (await look(false)));
  const value = Math.max(0, median(more)) / BUTTONS;
  figure({ name: "source of an element", value, unit: "ms", limit: 2 });
}
