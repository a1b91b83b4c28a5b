/**
 * From a console call in a page to the text of the terminal: the real extension in a real Chromium, the hub, and
 * `debug-bridge console`, at 100 events a second [CON-069, CON-073]. And a flood of 5,000 a second: what the page and the errors feel of it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { startHubProcess } from "../hub/start-hub.mjs";
import { CHROMIUM } from "../lib/chromium.mjs";
import { CLI } from "../lib/cli.mjs";
import { figure, median } from "../lib/figure.mjs";
import { copyExtension } from "../lib/pairing.mjs";

const hub = await startHubProcess();
const server = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Bench</title>"),
);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const profile = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
const extension = join(profile, "extension");
copyExtension(extension, {
  consolePort: Number(new URL(hub.console).port),
  pairingKey: readFileSync(join(hub.home, "pairing-key"), "utf8").trim(),
});
const context = await chromium.launchPersistentContext(profile, {
  executablePath: CHROMIUM.executablePath,
  headless: false,
  args: [...CHROMIUM.args, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
});
if (context.serviceWorkers().length === 0) await context.waitForEvent("serviceworker");

const terminal = spawn(process.execPath, [CLI, "console", "--hub", hub.url, "--home", hub.home], {
  stdio: ["ignore", "pipe", "inherit"],
});
const arrivals = new Map();
let output = "";
terminal.stdout.on("data", (data) => {
  const now = Date.now();
  output += data;
  for (const [, id] of String(data).matchAll(/mark-(\d+)/g)) arrivals.set(Number(id), now);
});

const page = await context.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
// A page that was loaded before the extension had registered its scripts is not captured.
for (let tries = 1; !output.includes("warm"); tries++) {
  if (tries > 300) throw new Error("no line of the page came to the terminal");
  if (tries % 20 === 0) await page.reload();
  await page.evaluate(() => console.log("warm"));
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const sent = await page.evaluate(async () => {
  const times = [];
  for (let i = 0; i < 1_000; i++) {
    times.push(Date.now());
    console.log(`mark-${i}`, { index: i, name: "a typical object", list: [1, 2, 3] });
    await new Promise((resolve) => setTimeout(resolve, 10 - (performance.now() % 1)));
  }
  return times;
});
await new Promise((resolve) => setTimeout(resolve, 1_000));
const latencies = sent
  .map((at, i) => (arrivals.get(i) ?? Number.POSITIVE_INFINITY) - at)
  .sort((a, b) => a - b);
figure({
  name: "console: call to terminal at 100 events/s, median",
  value: median(latencies),
  unit: "ms",
  limit: 10,
});
figure({
  name: "console: call to terminal at 100 events/s, 99th percentile",
  value: latencies[Math.floor(latencies.length * 0.99)],
  unit: "ms",
  limit: 30,
});

await page.evaluate(async () => {
  for (let second = 0; second < 5; second++) {
    const started = performance.now();
    for (let i = 0; i < 5_000; i++) {
      const n = second * 5_000 + i;
      if (i % 100 === 0) console.error(`error-${n};`);
      else if (i % 100 === 50) console.warn(`warning-${n};`);
      else console.log(`log-${n};`);
      if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_000 - (performance.now() - started))));
  }
  console.error("flood over");
});
while (!output.includes("flood over")) await new Promise((resolve) => setTimeout(resolve, 50));
const count = (word) =>
  new Set([...output.matchAll(new RegExp(`${word}-(\\d+);`, "g"))].map((match) => match[1])).size;
figure({
  name: "console: errors and warnings kept of 500 in 5,000 events/s",
  value: count("error") + count("warning"),
  unit: "kept",
  limit: 500,
  atLeast: true,
  note: `${count("log")} of 24,500 logs, the rest is in a warning`,
});

terminal.kill("SIGINT");
await once(terminal, "exit");
await context.close();
server.close();
await hub.stop();
rmSync(profile, { recursive: true, force: true });
