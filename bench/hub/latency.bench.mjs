/** How long a message takes from an app through the hub to an agent, as a distribution: up to a thousand sessions, and the bare limit. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { exponent } from "../lib/exponent.mjs";
import { figure } from "../lib/figure.mjs";
import { distribution, percentile } from "../lib/percentile.mjs";
import { series } from "../lib/series.mjs";

const here = new URL("./", import.meta.url).pathname;
const SIZES = [1, 10, 100, 1_000];
const SECONDS = 4;

const subjects = { hub: "hub-process.mjs", bare: "bare-forwarder.mjs" };
const lines = {};
const costs = { hub: [], bare: [] };
for (const sessions of SIZES)
  for (const [name, server] of Object.entries(subjects)) {
    const latencies = await measure(server, sessions);
    costs[name].push(latencies);
    if (name === "hub" || sessions === 1_000)
      lines[`${name}, ${sessions} session${sessions === 1 ? "" : "s"}`] = distribution(latencies);
  }
for (const [i, sessions] of SIZES.entries()) {
  const [hub, bare] = [costs.hub[i], costs.bare[i]];
  const text = (latencies) =>
    `median ${percentile(latencies, 50).toFixed(2)} ms, 99th ${percentile(latencies, 99).toFixed(2)} ms`;
  figure({
    name: `hub: median latency of a message at ${sessions} sessions, to a bare ws forwarder`,
    value: percentile(hub, 50) / percentile(bare, 50),
    unit: "×",
    note: `${text(hub)}; bare ${text(bare)}`,
  });
}
const grows = (percent) =>
  exponent(
    SIZES,
    costs.hub.map((latencies) => percentile(latencies, percent)),
  ).toFixed(2);
series({
  name: "Latency of a message through the hub",
  ...{ x: "percentile", y: "ms", scale: "linear", lines },
  note: `At 2,000 messages a second. Over the number of sessions the median grows with the exponent ${grows(50)}, the 99th percentile with ${grows(99)}.`,
});

async function measure(server, sessions) {
  const process = fork(`${here}${server}`, [], { execArgv: ["--expose-gc"] });
  const [{ port }] = await once(process, "message");
  const load = fork(`${here}latency-load.mjs`, [port, sessions, SECONDS].map(String));
  const [{ latencies }] = await once(load, "message");
  process.disconnect();
  process.kill();
  await once(process, "exit");
  return latencies;
}
