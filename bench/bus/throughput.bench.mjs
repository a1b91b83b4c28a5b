/**
 * How throughput grows with hubs: 1, 2 and 4 hubs on one NATS server, each with sessions of its own, whose records are stored in
 * NATS. Two ways. Each hub gets the same load, a fifth of what the cores can do: the hubs together must carry 0.8 of what one hub
 * carries times their number. And each hub gets as much as it can take. The processor time of the whole
 * machine is measured in each run, which shows where the cores are used up, and whether other programs used them. Hubs, NATS and load
 * share the cores, so the processor time per message says what a machine for each hub would do. It falls with the load: what many
 * messages of a session cost together is stored and sent together.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { figure } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { machineSeconds, processorSeconds, startBus, untilIdle } from "./lib.mjs";

const HUBS = [1, 2, 4];
const SECONDS = Number(process.env.SECONDS ?? 6);
const LOAD = new URL("./load.mjs", import.meta.url).pathname;
/** Of what the cores can do, this much is offered to each hub. */
const SHARE = 0.2;
const CORES = availableParallelism();
/** Cores count as used up when this much of their time is. */
const USED_UP = 0.9;
/** Of what one hub carries times their number, hubs must carry this much. */
const LINEAR = 0.8;
const MAX_RUNS = 5;

const bus = await startBus();
try {
  const hubs = [];
  for (let i = 0; i < Math.max(...HUBS); i++) hubs.push(await bus.startHub(`hub-${i}`));
  await measure(hubs.slice(0, 1), { seconds: 2 });
  const full = await each(HUBS, (count) => measure(hubs.slice(0, count)));
  const highest = Math.max(...full.map(({ perSecond }) => perSecond));
  const offered = Math.round((highest * SHARE) / 100) * 100;
  const paced = await each(HUBS, (count) => measurePaced(hubs.slice(0, count), offered));
  report(full, paced, offered, highest);
} finally {
  await bus.close();
}

async function each(counts, work) {
  const results = [];
  for (const count of counts) results.push(await work(count));
  return results;
}

/** Measures again what fell behind, because other programs may have used the cores: the best run counts. */
async function measurePaced(hubs, rate) {
  const runs = [];
  do runs.push(await measure(hubs, { rate }));
  while (runs.length < MAX_RUNS && runs.at(-1).perSecond < LINEAR * rate * hubs.length);
  return runs.sort((a, b) => b.perSecond - a.perSecond)[0];
}

/** Messages per second of all hubs together, processor time per message, and cores in use by whom. Each hub has a load of its own. */
async function measure(hubs, { rate = 0, seconds = SECONDS } = {}) {
  const loads = hubs.map(({ port, token }) => fork(LOAD, [port, token, rate, seconds].map(String)));
  await Promise.all(loads.map((load) => once(load, "message")));
  await untilIdle([bus.nats, ...hubs.map(({ pid }) => pid)]);
  const pids = { hubs: hubs.map(({ pid }) => pid), nats: [bus.nats], load: loads.map(({ pid }) => pid) };
  const used = () =>
    Object.fromEntries(Object.entries(pids).map(([name, list]) => [name, processorSeconds(list)]));
  const [before, machineBefore, begun] = [used(), machineSeconds(), performance.now()];
  const finished = loads.map((load) => once(load, "message"));
  for (const load of loads) load.send("start");
  const messages = (await Promise.all(finished)).reduce((sum, [{ received }]) => sum + received, 0);
  const wall = (performance.now() - begun) / 1_000;
  const [after, machineAfter] = [used(), machineSeconds()];
  for (const load of loads) load.kill();
  // The sessions of this load end, and what they stored is deleted.
  await untilIdle([bus.nats, ...hubs.map(({ pid }) => pid)]);
  const spent = (name) => after[name] - before[name];
  const cores = Object.keys(pids).reduce((sum, name) => sum + spent(name), 0) / wall;
  const busy = (machineAfter - machineBefore) / wall;
  return {
    perSecond: messages / wall,
    hubUs: (spent("hubs") / messages) * 1e6,
    natsUs: (spent("nats") / messages) * 1e6,
    cores,
    busy,
  };
}

function report(full, paced, offered, highest) {
  const [one] = paced;
  const text = ({ cores, busy }) =>
    `${cores.toFixed(2)} of ${CORES} cores in use, ${busy.toFixed(2)} with all other programs`;
  const costs = ({ hubUs, natsUs }) =>
    `${hubUs.toFixed(1)} µs of hubs and ${natsUs.toFixed(1)} µs of NATS per message`;
  for (const [i, count] of HUBS.entries()) {
    const { perSecond } = paced[i];
    const hubs = `${count} hub${count === 1 ? "" : "s"}`;
    const value = perSecond / (count * one.perSecond);
    figure({
      name: `${hubs} with the same load each: of linear`,
      ...{ value, unit: "×", limit: LINEAR, atLeast: true },
      note: `${Math.round(perSecond)} messages/s of ${count * offered} offered; ${costs(paced[i])}; ${text(paced[i])}`,
    });
    figure({
      name: `${hubs} at full load`,
      ...{ value: full[i].perSecond, unit: "messages/s", atLeast: true },
      note: `${costs(full[i])}; ${text(full[i])}`,
    });
    figure({
      name: `${hubs} at full load: cores in use`,
      ...{ value: full[i].busy, unit: `of ${CORES} cores` },
      note: full[i].busy >= USED_UP * CORES ? "the cores are used up" : "cores are free",
    });
  }
  figure({
    name: "processor time of hubs per message, 4 hubs against 1",
    ...{ value: paced[2].hubUs / paced[0].hubUs, unit: "×", limit: 1.25 },
    note: "1 is linear: a hub more costs the others nothing",
  });
  figure({
    name: "hubs of this load at which the cores are used up",
    ...{ value: highest / offered, unit: "hubs", atLeast: true },
    note: `at ${Math.round(highest)} messages/s; hubs, NATS and the load share ${CORES} cores`,
  });
  const points = (list) => HUBS.map((count, i) => [count, list[i].perSecond]);
  const lines = { "same load for each hub": points(paced), "full load": points(full) };
  series({ name: "Throughput over hubs", x: "hubs", y: "messages/s", lines });
}
