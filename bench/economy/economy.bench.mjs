/**
 * What five tasks of an agent cost through our tools and through those of the peers: tokens of all calls and answers, calls,
 * and time. The page is open before a task begins; a task that does not reach its goal fails the bench.
 */
import { encode } from "gpt-tokenizer";
import { figure } from "../lib/figure.mjs";
import { startServers } from "../mcp/servers.mjs";
import { temporaryFolder } from "../runner/lib.mjs";
import { serveOffice } from "./site.mjs";
import { TASKS } from "./tasks.mjs";

const ALL = "all five";
const office = await serveOffice();
const home = temporaryFolder();
const servers = await startServers(home.path);
const names = Object.keys(servers);
let bestOfEach = 0;
const totals = Object.fromEntries(names.map((name) => [name, { tokens: 0, calls: 0, ms: 0 }]));

try {
  for (const task of TASKS) {
    const costs = {};
    for (const name of names) costs[name] = await run(task, name, servers[name]);
    report(task.name, costs);
    const { ours: _ours, ...peers } = costs;
    bestOfEach += Math.min(...Object.values(peers).map(({ tokens }) => tokens));
  }
  report(ALL, totals, { tokens: 1 / 3, calls: 1 / 2 });
  figure({
    name: `${ALL}: tokens, to the best peer of each task`,
    ...{ value: totals.ours.tokens / bestOfEach, unit: "×" },
    note: `ours ${totals.ours.tokens}, another peer for each task ${bestOfEach}`,
  });
} finally {
  for (const server of Object.values(servers)) await server.close();
  office.close();
  home.remove();
}

async function run({ path, done, name: task, ...scripts }, name, server) {
  await server.open(office.url(path));
  const cost = { tokens: 0, calls: 0, ms: 0 };
  let said = "";
  const call = async (tool, input = {}) => {
    const startedAt = performance.now();
    const text = await server.call(tool, input);
    cost.ms += performance.now() - startedAt;
    cost.calls++;
    cost.tokens += encode(commandText(tool, input)).length + encode(text).length;
    said += `${text}\n`;
    if (process.env.SHOW) console.error(`\n${name}: ${commandText(tool, input)}\n${text.slice(0, 4_000)}`);
    return text;
  };
  await scripts[name]({ call });
  if (!done.test(said)) throw new Error(`${name} did not do "${task}":\n${said.slice(0, 4_000)}`);
  for (const key of Object.keys(cost)) totals[name][key] += cost[key];
  return cost;
}

/** What an agent writes for a call: a tool with its input, or a command line. */
function commandText(tool, input) {
  const quoted = (text) => (/[ '@]/.test(text) ? `"${text}"` : text);
  return input.args
    ? `agent-browser ${tool} ${input.args.map(quoted).join(" ")}`
    : `${tool} ${JSON.stringify(input)}`;
}

/** Ours against the peer that needs the fewest tokens, and against the one that is best in each respect. */
function report(task, costs, limits = {}) {
  const { ours, ...peers } = costs;
  const best = Object.keys(peers).reduce((a, b) => (peers[b].tokens < peers[a].tokens ? b : a));
  for (const [key, what] of [
    ["tokens", "tokens"],
    ["calls", "calls"],
    ["ms", "time"],
  ]) {
    const each = Object.entries(costs).map(([name, cost]) => `${name} ${Math.round(cost[key])}`);
    figure({
      name: `${task}: ${what}, to the best peer`,
      ...{ value: ours[key] / peers[best][key], unit: "×", limit: limits[key] },
      note: `the best in tokens: ${best}; ${each.join(", ")}`,
    });
    const least = Math.min(...Object.values(peers).map((cost) => cost[key]));
    if (task === ALL && key !== "tokens")
      figure({ name: `${task}: ${what}, to the peer with the least`, value: ours[key] / least, unit: "×" });
  }
}
