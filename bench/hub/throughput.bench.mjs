/**
 * Messages per second through the hub, with validation and timeline, as a ratio to a forwarder that does neither; with
 * one session and with a thousand [ARC-109].
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { figure, median } from "../lib/figure.mjs";

const here = new URL("./", import.meta.url).pathname;

async function measure(server, sessions, messages) {
  const process = fork(`${here}${server}`, [], { execArgv: ["--expose-gc"] });
  const [{ port }] = await once(process, "message");
  const load = fork(`${here}message-load.mjs`, [port, sessions, messages].map(String));
  const [{ perSecond }] = await once(load, "message");
  process.disconnect();
  process.kill();
  await once(process, "exit");
  return perSecond;
}

for (const sessions of [1, 1_000]) {
  const bare = [];
  const hub = [];
  for (let round = 0; round < 5; round++) {
    bare.push(await measure("bare-forwarder.mjs", sessions, 150_000));
    hub.push(await measure("hub-process.mjs", sessions, 150_000));
  }
  figure({
    name: `hub: messages/s at ${sessions} session${sessions === 1 ? "" : "s"}`,
    value: median(hub) / median(bare),
    unit: "x bare ws",
    limit: 0.9,
    atLeast: true,
    note: `${Math.round(median(hub))} against ${Math.round(median(bare))} messages/s`,
  });
}
