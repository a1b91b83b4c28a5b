/**
 * How throughput grows with hubs on one NATS server, each with sessions of its own, whose records are stored in NATS. Two ways. Each
 * hub gets the same load, a fifth of what one hub carries alone, and hubs are added until less than 0.8 of the load is carried or the
 * cores are used up; up to 4 hubs must carry 0.8 of what one hub carries times their number. And each hub gets as much as it can take:
 * then all hubs together carry less the more they are, because load, NATS and hubs share the cores of one machine. The processor time
 * of the whole machine is measured in each run, so that a run says whether other programs used the cores. The processor time per
 * message says what a machine for each hub would do. It falls with the load: what many messages of a session cost together is stored
 * and sent together.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { figure } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { machineSeconds, processorSeconds, startBus, untilIdle } from "./lib.mjs";

/** At full load, and with the same load for each hub. */
const HUBS = [1, 2, 4];
/** Tried as long as the load is carried. */
const MORE_HUBS = [6, 8, 10, 12];
const SECONDS = Number(process.env.SECONDS ?? 5);
const LOAD = new URL("./load.mjs", import.meta.url).pathname;
/** The share of what one hub carries alone that is offered to each hub. */
const SHARE = 0.2;
const CORES = availableParallelism();
/** Cores count as used up when this much of their time is. */
const USED_UP = 0.95;
/** The share of what one hub carries, times their number, that hubs must carry. */
const LINEAR = 0.8;
/** A run in which other programs used more of the cores than this says so. */
const MAX_OTHERS = 0.1;
const MAX_RUNS = 2;

const bus = await startBus();
try {
  const hubs = [];
  const some = async (count) => {
    while (hubs.length < count) hubs.push(await bus.startHub(`hub-${hubs.length}`));
    return hubs.slice(0, count);
  };
  await measure(await some(1), { seconds: 2 });
  const full = [];
  for (const count of HUBS) full.push(await measure(await some(count)));
  const offered = Math.round((full[0].perSecond * SHARE) / 100) * 100;
  const paced = [];
  for (const count of [...HUBS, ...MORE_HUBS]) {
    paced.push({ count, ...(await measurePaced(await some(count), offered)) });
    if (count >= Math.max(...HUBS) && paced.some((run) => endOf(run, offered))) break;
  }
  report(full, paced, offered);
} finally {
  await bus.close();
}

/** Measures once more what fell behind, because other programs may have used the cores: the better run counts, and says so. */
async function measurePaced(hubs, rate) {
  const runs = [];
  do runs.push(await measure(hubs, { rate }));
  while (runs.length < MAX_RUNS && runs.at(-1).perSecond < LINEAR * rate * hubs.length);
  return { ...runs.sort((a, b) => b.perSecond - a.perSecond)[0], runs: runs.length };
}

/** Why no more hubs of this load fit on the machine; `undefined` if they may. Cores that others use up say nothing about hubs. */
function endOf(run, offered) {
  const carried = run.perSecond / (run.count * offered);
  if (carried < LINEAR) return `${Math.round(100 * carried)} % of the load is carried`;
  return run.busy >= USED_UP * CORES && !isDisturbed(run) ? "the cores are used up" : undefined;
}

function othersOf({ busy, cores }) {
  return Math.max(0, busy - cores);
}

function isDisturbed(run) {
  return othersOf(run) > MAX_OTHERS * CORES;
}

/** Messages per second of all hubs together, processor time per message, and cores in use by whom. Each hub has a load of its own. */
async function measure(hubs, { rate = 0, seconds = SECONDS } = {}) {
  const loads = hubs.map(({ port, token }) => fork(LOAD, [port, token, rate, seconds].map(String)));
  await Promise.all(loads.map((load) => once(load, "message")));
  await untilIdle([bus.nats, ...hubs.map(({ pid }) => pid)]);
  const pids = { hubs: hubs.map(({ pid }) => pid), nats: [bus.nats], load: loads.map(({ pid }) => pid) };
  const used = () =>
    Object.fromEntries(Object.entries(pids).map(([name, list]) => [name, processorSeconds(list)]));
  const [before, machineBefore, startedAt] = [used(), machineSeconds(), performance.now()];
  const finished = loads.map((load) => once(load, "message"));
  for (const load of loads) load.send("start");
  const messages = (await Promise.all(finished)).reduce((sum, [{ received }]) => sum + received, 0);
  const wall = (performance.now() - startedAt) / 1_000;
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

function hubsText(count) {
  return `${count} hub${count === 1 ? "" : "s"}`;
}

function costs({ hubUs, natsUs }) {
  return `${hubUs.toFixed(1)} µs of hubs and ${natsUs.toFixed(1)} µs of NATS per message`;
}

/** How many runs there were, and what used the cores in the one that counts. */
function runText(run) {
  const { runs = 1, cores } = run;
  const disturbed = isDisturbed(run)
    ? `; other programs used ${othersOf(run).toFixed(2)} cores, so this says little`
    : "";
  const counted = runs === 1 ? "1 run" : `the better of ${runs} runs`;
  return `${counted}; hubs, NATS and load used ${cores.toFixed(2)} of ${CORES} cores${disturbed}`;
}

function report(full, paced, offered) {
  const [one] = paced;
  for (const [i, count] of HUBS.entries()) {
    const { perSecond } = paced[i];
    figure({
      name: `${hubsText(count)} with the same load each: of linear`,
      ...{ value: perSecond / (count * one.perSecond), unit: "×", limit: LINEAR, atLeast: true },
      note: `${Math.round(perSecond)} messages/s of ${count * offered} offered; ${costs(paced[i])}; ${runText(paced[i])}`,
    });
    figure({
      name: `${hubsText(count)} at full load`,
      ...{ value: full[i].perSecond, unit: "messages/s", atLeast: true },
      note: `${costs(full[i])}; ${runText(full[i])}`,
    });
    figure({
      name: `${hubsText(count)} at full load: cores in use`,
      ...{ value: full[i].busy, unit: `of ${CORES} cores` },
      note: full[i].busy >= USED_UP * CORES ? "the cores are used up" : "cores are free",
    });
  }
  figure({
    name: "processor time of hubs per message, 4 hubs against 1",
    ...{ value: paced[2].hubUs / paced[0].hubUs, unit: "×", limit: 1.25 },
    note: "1 is linear: a hub more costs the others nothing",
  });
  reportEnd(paced, offered);
  const lines = {
    "same load for each hub": paced.map(({ count, perSecond }) => [count, perSecond]),
    "full load": HUBS.map((count, i) => [count, full[i].perSecond]),
  };
  series({ name: "Throughput over hubs", x: "hubs", y: "messages/s", lines });
}

/** Where adding hubs ended. */
function reportEnd(paced, offered) {
  const end = paced.find((run) => endOf(run, offered));
  const last = end ?? paced.at(-1);
  figure({
    name: "hubs of this load at which the machine is full",
    ...{ value: last.count, unit: "hubs", atLeast: true },
    note: `${end ? endOf(end, offered) : "not reached: more hubs were not tried"}; ${offered} messages/s offered to each, ${Math.round(last.perSecond)} carried in all; tried with ${paced.map(({ count }) => count).join(", ")}; ${runText(last)}`,
  });
}
