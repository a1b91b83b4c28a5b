/**
 * What looking and acting cost through MCP on pages of 1,000 to 100,000 elements, and how that grows with the page.
 * Beside it, in turns: what the bare platform takes for an empty evaluation, for a walk over all elements, and for the same
 * click with two frames after it.
 */
import { exponent } from "../lib/exponent.mjs";
import { figure, median } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { temporaryFolder } from "../runner/lib.mjs";
import { startBare } from "./bare-page.mjs";
import { servePages } from "./pages.mjs";
import { startOurs } from "./servers.mjs";

const SIZES = [1_000, 10_000, 30_000, 100_000];
const LIMITS = { observe: [10, 20, undefined, 60], click: [35, 40, undefined, 60] };
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const WARM_UP = 3;

const pages = await servePages();
const home = temporaryFolder();
const [ours, bare] = await Promise.all([startOurs(home.path), startBare()]);
const costs = {};

try {
  for (const size of SIZES) await measure(size);
  report();
} finally {
  await Promise.all([ours.close(), bare.close()]);
  pages.close();
  home.remove();
}

async function measure(size) {
  const url = pages.url(`elements-${size}`);
  await ours.open(url);
  const points = await bare.open(url);
  const startedAt = performance.now();
  const text = await ours.look();
  keep("first", performance.now() - startedAt);
  const [add, row] = ["Add", "Row"].map((name) => ours.ref(text, name));
  await inTurns({ empty: () => bare.empty(), walk: () => bare.walk(), observe: () => ours.look() });
  await inTurns({ bareClick: () => bare.click(points.add), click: () => ours.click(add) });
  await inTurns({ bareRow: () => bare.click(points.row), row: () => ours.click(row) });
}

/** The median and the lowest time of each; they take turns, so that a busy machine slows all of them alike. */
async function inTurns(works) {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(works)) {
      const startedAt = performance.now();
      await work();
      if (round >= 0) times[name].push(performance.now() - startedAt);
    }
  }
  for (const [name, all] of Object.entries(times)) {
    keep(name, median(all));
    keep(`${name} lowest`, Math.min(...all));
  }
}

function keep(name, ms) {
  costs[name] ??= [];
  costs[name].push(ms);
}

function report() {
  const ms = (name, i) => `${costs[name][i].toFixed(1)} ms`;
  for (const [i, size] of SIZES.entries()) {
    const elements = `${size.toLocaleString("en")} elements`;
    const look = { value: costs.observe[i], unit: "ms", limit: LIMITS.observe[i] };
    const walked = `platform: empty evaluation ${ms("empty", i)}, walk over all ${ms("walk", i)}`;
    figure({
      name: `observe of ${elements} through MCP`,
      ...look,
      note: `lowest ${ms("observe lowest", i)}; the first ${ms("first", i)}; ${walked}`,
    });
    figure({
      name: `click with receipt through MCP, ${elements}`,
      ...{ value: costs.click[i], unit: "ms", limit: LIMITS.click[i], platform: costs.bareClick[i] },
      note: `lowest ${ms("click lowest", i)}; platform: the bare click and two frames ${ms("bareClick", i)}, lowest ${ms("bareClick lowest", i)}`,
    });
    figure({
      name: `click that adds or removes a row, ${elements}, to the bare click`,
      ...{ value: costs.row[i] / costs.bareRow[i], unit: "×" },
      note: `${ms("row", i)}, lowest ${ms("row lowest", i)}; platform ${ms("bareRow", i)}`,
    });
  }
  const line = (name) => SIZES.map((size, i) => [size, costs[name][i]]);
  series({
    name: "Cost over DOM size through MCP",
    ...{ x: "elements", y: "ms" },
    lines: {
      observe: line("observe"),
      "platform: walk over all": line("walk"),
      "click with receipt": line("click"),
      "platform: click and two frames": line("bareClick"),
      "click that adds a row": line("row"),
      "platform: that click": line("bareRow"),
    },
  });
  figure({
    name: "exponent of observe by elements",
    value: exponent(SIZES, costs.observe),
    unit: "",
    limit: 0.6,
  });
  figure({
    name: "exponent of a click by elements",
    value: exponent(SIZES, costs.click),
    unit: "",
    limit: 0.3,
  });
  figure({
    name: "exponent of the bare click by elements",
    value: exponent(SIZES, costs.bareClick),
    unit: "",
  });
}
