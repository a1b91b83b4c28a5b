/**
 * `npm run bench [-- FILTER...] [--check]`: runs every file of bench/ by itself and shows what it measured. A bench prints one JSON
 * line for each figure and each series. They are stored in bench/figures, and bench/RESULTS.md and the pages that show figures are
 * written from there; what a filter leaves out stays as it was stored. With `--check` nothing is stored: the figures are compared
 * with the stored ones, and those that became more than a fifth worse are named. A bench waits up to a minute for a machine that does
 * not do more than its cores can.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { whatBecameWorse, whatIsNotComparable } from "./figures/compare.mjs";
import { machineFacts, measureSpeed } from "./figures/machine.mjs";
import { figurePages } from "./figures/pages.mjs";
import { benchName, readResults, storeResult } from "./figures/store.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { fail, log } from "./lib/log.mjs";
import { ensureNats } from "./lib/nats.mjs";
import { filesBelow } from "./lib/packages.mjs";
import { root } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

await setUp();
process.env.CHROME_PATH = await ensureChromium();
process.env.NATS_PATH = await ensureNats();

const isCheck = process.argv.includes("--check");
/** A bench that takes longer than this hangs. */
const TIMEOUT_MS = 600_000;
/** A bench waits this long for a quieter machine. */
const QUIET_TIMEOUT_MS = 60_000;
const filters = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const all = filesBelow(`${root}bench`, (path) => path.endsWith(".bench.mjs"));
const chosen = (filters.length === 0 ? [""] : filters).flatMap((filter) =>
  all.filter((path) => benchName(root, path).includes(filter)),
);
const files = [...new Set(chosen)];
const stored = readResults(root);
const [results, failed] = [[], []];

for (const file of files) {
  const bench = benchName(root, file);
  log(bench);
  const result = await measure(bench, file);
  if (!result) failed.push(bench);
  else {
    results.push(result);
    if (!isCheck) storeResult(root, result);
  }
}
const worse = isCheck ? results.flatMap((result) => compared(result, whatBecameWorse)) : [];
const notComparable = isCheck ? results.flatMap((result) => compared(result, whatIsNotComparable)) : [];
showTimes();
if (!isCheck) writePages();
const missed = results.flatMap(({ figures }) => figures).filter(({ ok }) => !ok).length;
for (const line of worse) console.log(`WORSE ${line}`);
for (const line of notComparable) console.log(`NOT COMPARABLE ${line}`);
for (const bench of failed) console.log(`FAILED ${bench}; its stored figures are kept`);
if (isCheck) console.log(`${worse.length} figures became more than a fifth worse`);
console.log(missed === 0 ? "every figure keeps its limit" : `${missed} figures do not keep their limit`);
process.exit(failed.length + worse.length + (isCheck ? 0 : missed) === 0 ? 0 : 1);

/** Resolves with nothing if the bench failed. */
async function measure(bench, file) {
  const load = await quietLoad();
  const isBusy = load > availableParallelism();
  if (load > availableParallelism() / 2)
    log(`the machine is busy (load ${load.toFixed(1)}): times say little`);
  const speed = measureSpeed();
  const startedAt = performance.now();
  const lines = await run(file);
  if (!lines) return undefined;
  return {
    bench,
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    load: Math.round(load * 10) / 10,
    ...(isBusy ? { busy: true } : {}),
    speed,
    // A peer may be installed by the benchmark that needs it.
    machine: machineFacts(root, { chromium: process.env.CHROME_PATH, nats: process.env.NATS_PATH }),
    figures: lines.filter(({ name }) => name !== undefined),
    series: lines.filter(({ series }) => series !== undefined),
  };
}

/** The load of the machine before a bench, after waiting while it is above the number of cores. */
async function quietLoad() {
  const ends = Date.now() + QUIET_TIMEOUT_MS;
  for (;;) {
    const [load = 0] = loadavg();
    if (load <= availableParallelism() || Date.now() >= ends) return load;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function run(file) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--expose-gc", file], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      timeout: TIMEOUT_MS,
    });
    const lines = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return console.log(line);
      lines.push(JSON.parse(line));
      show(lines.at(-1));
    });
    child.on("close", (code) => resolve(code === 0 ? lines : undefined));
  });
}

function show({ name, value, unit, limit, ok, platform, note, series, lines }) {
  if (series) {
    const fits = lines.filter(({ exponent }) => exponent !== undefined);
    return console.log(`     ${series}: ${fits.map((line) => `${line.name} ^${line.exponent}`).join(", ")}`);
  }
  const against = limit === undefined ? "" : ` (limit ${limit})`;
  const alone = platform === undefined ? "" : `  platform ${platform}`;
  console.log(
    `${ok ? "ok  " : "MISS"} ${name.padEnd(58)} ${String(value).padStart(9)} ${unit}${against}${alone}${note ? `  ${note}` : ""}`,
  );
}

function compared(result, compare) {
  const before = stored.find(({ bench }) => bench === result.bench);
  return before ? compare(before, result) : [];
}

/** A page may show a figure that was never measured. */
function writePages() {
  let pages;
  try {
    pages = figurePages(root);
  } catch (error) {
    fail(`the figures are stored, but the pages are not written: ${error.message}`);
  }
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function showTimes() {
  const total = results.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`\nwhere the time went, ${Math.round(total)} s in all:`);
  const byTime = [...results].sort((a, b) => b.seconds - a.seconds);
  for (const { bench, seconds } of byTime) console.log(`${seconds.toFixed(1).padStart(8)} s  ${bench}`);
}
