/**
 * What an agent waits for and pays for, against Playwright MCP, Chrome DevTools MCP and agent-browser: the same pages, in the
 * same run, in turns. And the distribution of what a click takes.
 */
import { encode } from "gpt-tokenizer";
import { figure, median } from "../lib/figure.mjs";
import { distribution } from "../lib/percentile.mjs";
import { series } from "../lib/series.mjs";
import { temporaryFolder } from "../runner/lib.mjs";
import { PAGES, servePages } from "./pages.mjs";
import { startServers } from "./servers.mjs";

/** A multiple of the 24 orders of four servers. */
const ROUNDS = 48;
const WARM_UP = 5;
/** What the faster peer takes may be multiplied by this. */
const OBSERVE_LIMITS = { small: 1, table: 0.5 };

const pages = await servePages();
const home = temporaryFolder();
const servers = await startServers(home.path);
const others = ({ ours: _ours, ...values }) => Object.values(values);
const inMs = (values) => Object.entries(values).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);

try {
  await measureTokens();
  for (const [name, limit] of Object.entries(OBSERVE_LIMITS)) {
    await onAll((server) => server.open(pages.url(name)));
    const times = medians(await inTurns((server) => server.look()));
    figure({
      name: `observe of the ${name} page through MCP, to the faster peer`,
      ...{ value: times.ours / Math.min(...others(times)), unit: "×", limit },
      note: inMs(times).join(", "),
    });
  }
  await measureClicks();
  await measureSearch();
} finally {
  await onAll((server) => server.close());
  pages.close();
  home.remove();
}

/** The first look at each sample page. */
async function measureTokens() {
  for (const name of Object.keys(PAGES)) {
    await onAll((server) => server.open(pages.url(name)));
    const tokens = await onAll(async (server) => encode(await server.look()).length);
    figure({
      name: `first observe of the ${name} page, tokens, to the cheaper peer`,
      ...{ value: tokens.ours / Math.min(...others(tokens)), unit: "×", limit: 0.99 },
      note: JSON.stringify(tokens),
    });
  }
}

async function measureClicks() {
  await onAll((server) => server.open(pages.url("small")));
  const refs = await onAll(async (server) => server.ref(await server.look(), "Add order"));
  const all = await inTurns((server, name) => server.click(refs[name]));
  const times = medians(all);
  series({
    name: "Latency of a click",
    ...{ x: "percentile", y: "ms", scale: "linear" },
    lines: Object.fromEntries(Object.entries(all).map(([name, list]) => [name, distribution(list)])),
    note: "Ours comes with a receipt of what the click caused.",
  });
  figure({
    name: "click with a receipt through MCP, page reacts at once",
    ...{ value: times.ours, unit: "ms", limit: 50 },
    note: inMs(times).join(", "),
  });
}

/** A row of a thousand with its button, in one call. */
async function measureSearch() {
  await servers.ours.open(pages.url("thousand"));
  const text = await servers.ours.find({ text: "Order 733" });
  if (!/Order 733 .*e\d+ button/.test(text)) throw new Error(`row 733 and its button are not in:\n${text}`);
  figure({
    name: "row 733 of 1,000 with its button, found in one call",
    ...{ value: encode(text).length, unit: "tokens", limit: 150 },
  });
}

/** The result of each server by its name. */
async function onAll(run) {
  const results = {};
  for (const [name, server] of Object.entries(servers)) results[name] = await run(server);
  return results;
}

function medians(times) {
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

/**
 * The times of each server. They take turns, so that a busy machine slows all of them alike, in another order each round: who
 * comes after a server that starts a process for each call finds the processor's caches empty.
 */
async function inTurns(run) {
  const names = Object.keys(servers);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const orders = permutations(names);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const name of orders[(round + WARM_UP) % orders.length]) {
      const startedAt = performance.now();
      await run(servers[name], name);
      if (round >= 0) times[name].push(performance.now() - startedAt);
    }
  }
  return times;
}

function permutations(list) {
  if (list.length < 2) return [list];
  return list.flatMap((first) =>
    permutations(list.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}
