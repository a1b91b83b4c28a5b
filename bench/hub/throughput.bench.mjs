/**
 * Messages per second through the hub, with validation and timeline, as a ratio to a forwarder that does neither; with
 * one session and with up to ten thousand [ARC-109].
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { figure, median } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";

const here = new URL("./", import.meta.url).pathname;
/** How often each number of sessions is measured. Ten thousand take long to connect. */
const ROUNDS = { 1: 3, 10: 3, 100: 3, 1000: 3, 10000: 1 };
const MESSAGES = 120_000;

async function measure(server, sessions) {
  const process = fork(`${here}${server}`, [], { execArgv: ["--expose-gc"] });
  const [{ port }] = await once(process, "message");
  const load = fork(`${here}message-load.mjs`, [port, sessions, MESSAGES].map(String));
  const [{ perSecond }] = await once(load, "message");
  process.disconnect();
  process.kill();
  await once(process, "exit");
  return perSecond;
}

const lines = { hub: [], "bare ws forwarder": [] };
for (const [count, rounds] of Object.entries(ROUNDS)) {
  const sessions = Number(count);
  const bare = [];
  const hub = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await measure("bare-forwarder.mjs", sessions));
    hub.push(await measure("hub-process.mjs", sessions));
  }
  lines.hub.push([sessions, median(hub)]);
  lines["bare ws forwarder"].push([sessions, median(bare)]);
  figure({
    name: `hub: messages/s at ${sessions} session${sessions === 1 ? "" : "s"}`,
    value: median(hub) / median(bare),
    unit: "× bare ws",
    limit: sessions > 1_000 ? undefined : 0.75,
    atLeast: true,
    note: `${Math.round(median(hub))} against ${Math.round(median(bare))} messages/s`,
  });
}
series({ name: "Throughput over sessions", x: "sessions", y: "messages/s", lines });
