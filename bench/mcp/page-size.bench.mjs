/**
 * What a first look at a page costs in tokens, and how long looks take, by the size of the page: ours, Playwright MCP, Chrome
 * DevTools MCP and agent-browser, in turns. Ours folds what repeats and continues with a cursor; `find` reaches one row of all.
 */
import { encode } from "gpt-tokenizer";
import { exponent } from "../lib/exponent.mjs";
import { figure, median } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { temporaryFolder } from "../runner/lib.mjs";
import { servePages } from "./pages.mjs";
import { startServers } from "./servers.mjs";

const SIZES = [100, 300, 1_000, 3_000, 10_000];
const ROUNDS = 5;

const pages = await servePages();
const home = temporaryFolder();
const servers = await startServers(home.path);
const names = Object.keys(servers);
const [tokens, times] = [empty(), empty()];
const found = [];

try {
  for (const size of SIZES) await measure(size);
  report();
} finally {
  for (const server of Object.values(servers)) await server.close();
  pages.close();
  home.remove();
}

function empty() {
  return Object.fromEntries(names.map((name) => [name, []]));
}

async function measure(size) {
  for (const name of names) {
    await servers[name].open(pages.url(`elements-${size}`));
    tokens[name].push([size, encode(await servers[name].look()).length]);
  }
  const last = Math.round(size / 3) - 1;
  const text = await servers.ours.find({ name: `Open ${last}` });
  if (!text.includes(`Open ${last}`)) throw new Error(`the last button is not in:\n${text}`);
  found.push([size, encode(text).length]);
  const all = empty();
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) {
      const startedAt = performance.now();
      await servers[name].look();
      all[name].push(performance.now() - startedAt);
    }
  for (const name of names) times[name].push([size, median(all[name])]);
}

function report() {
  series({
    name: "Tokens over page size",
    ...{ x: "elements", y: "tokens", lines: { ...tokens, "ours: find the last button": found } },
  });
  series({ name: "Time of a look over page size", x: "elements", y: "ms", lines: times });
  const { ours, ...peers } = tokens;
  figure({
    name: "exponent of tokens by elements",
    value: exponent(
      SIZES,
      ours.map(([, count]) => count),
    ),
    ...{ unit: "", limit: 0.6 },
  });
  for (const [i, size] of SIZES.entries()) {
    const cheapest = Math.min(...Object.values(peers).map((points) => points[i][1]));
    figure({
      name: `a look at ${size.toLocaleString("en")} elements, tokens, to the cheapest peer`,
      ...{ value: ours[i][1] / cheapest, unit: "×", limit: 0.99 },
      note: names.map((name) => `${name} ${tokens[name][i][1]}`).join(", "),
    });
  }
}
