/** Memory of the hub while apps send without a pause and nobody reads, over time, with up to a thousand sessions. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { exponent } from "../lib/exponent.mjs";
import { figure } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { networkMessage, openPeer } from "./peers.mjs";

const SIZES = [1, 10, 100, 1_000];
const SECONDS = 12;
const RATE = 10_000;
const lines = {};
const [ends, exponents] = [[], {}];

for (const sessions of SIZES) {
  const name = `${sessions} session${sessions === 1 ? "" : "s"}`;
  const samples = await measure(sessions);
  lines[name] = samples;
  const half = samples.slice(Math.floor(samples.length / 2));
  exponents[name] = exponent(
    half.map(([at]) => at),
    half.map(([, mb]) => mb),
  );
  ends.push(samples.at(-1)[1]);
  figure({
    name: `hub: heap after ${SECONDS} s of ${RATE.toLocaleString("en")} messages/s, ${name}, to the middle`,
    ...{ value: samples.at(-1)[1] / half[0][1], unit: "×", limit: 1.25 },
    note: `${half[0][1].toFixed(0)} MB in the middle, ${samples.at(-1)[1].toFixed(0)} MB at the end`,
  });
}
series({
  name: "Memory of the hub over time",
  ...{ x: "seconds", y: "MB in use", scale: "linear", lines, exponents },
  note: `The exponents are those of the second half of the time. Over the number of sessions the memory at the end grows with ${exponent(SIZES, ends).toFixed(2)}.`,
});

async function measure(sessions) {
  const hub = fork(new URL("./hub-process.mjs", import.meta.url).pathname, [], { execArgv: ["--expose-gc"] });
  const [{ port }] = await once(hub, "message");
  const ids = Array.from({ length: sessions }, (_, i) => `s${i}`);
  const apps = [];
  for (const id of ids) apps.push(await openPeer(port, "app", id));
  const texts = ids.map((id) => networkMessage(id, 1));
  const samples = [];
  const startedAt = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < SECONDS; elapsed = (performance.now() - startedAt) / 1_000) {
    for (const due = elapsed * RATE; sent < due; sent++) apps[sent % sessions].send(texts[sent % sessions]);
    // At every half second, unless the machine is too busy for that.
    const at = Math.floor(elapsed * 2) / 2;
    if (at > (samples.at(-1)?.[0] ?? 0)) samples.push([at, await heapOf(hub)]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (const app of apps) app.terminate();
  hub.disconnect();
  hub.kill();
  await once(hub, "exit");
  return samples;
}

/** Megabytes that the hub uses after what can be freed was. */
async function heapOf(hub) {
  hub.send("memory");
  const [{ heapUsed }] = await once(hub, "message");
  return heapUsed / 1e6;
}
