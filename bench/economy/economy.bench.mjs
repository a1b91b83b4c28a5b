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

const office = await serveOffice();
const home = temporaryFolder();
const servers = await startServers(home.path);
const names = Object.keys(servers);
const totals = Object.fromEntries(names.map((name) => [name, { tokens: 0, calls: 0, ms: 0 }]));

try {
  for (const task of TASKS) {
    const costs = {};
    for (const name of names) costs[name] = await run(task, name, servers[name]);
    report(task.name, costs);
  }
  report("all five", totals, { tokens: 1 / 3, calls: 1 / 2 });
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
    const begun = performance.now();
    const text = await server.call(tool, input);
    cost.ms += performance.now() - begun;
    cost.calls++;
    cost.tokens += encode(`${tool} ${JSON.stringify(input)}`).length + encode(text).length;
    said += `${text}\n`;
    return text;
  };
  await scripts[name]({ call });
  if (!done.test(said)) throw new Error(`${name} did not do "${task}":\n${said.slice(0, 4_000)}`);
  for (const key of Object.keys(cost)) totals[name][key] += cost[key];
  return cost;
}

function report(task, costs, limits = {}) {
  const { ours, ...peers } = costs;
  for (const [key, unit] of [
    ["tokens", "× tokens"],
    ["calls", "× calls"],
    ["ms", "× time"],
  ]) {
    const best = Math.min(...Object.values(peers).map((cost) => cost[key]));
    const each = Object.entries(costs).map(([name, cost]) => `${name} ${Math.round(cost[key])}`);
    figure({
      name: `${task}: to the better peer`,
      value: ours[key] / best,
      unit,
      limit: limits[key],
      note: each.join(", "),
    });
  }
}
