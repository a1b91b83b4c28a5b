/** What Chromes cost that the hub launches: 1 to 4 at once, each with a page; memory and processor time of all their processes. */
import { readdirSync, readFileSync } from "node:fs";
import { HubClient } from "@debug-bridge/client";
import { startBus } from "../bus/lib.mjs";
import { figure } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { servePage } from "../runner/lib.mjs";

const COUNTS = [1, 2, 3, 4];
const IDLE_MS = 6_000;
/** Milliseconds of a clock tick of Linux. */
const MS_OF_TICK = 10;
const page = await servePage();
const bus = await startBus();
const hub = await bus.startHub("browsers", { args: ["--browsers", String(COUNTS.at(-1))] });
const client = new HubClient({ hub: hub.url, token: hub.token, name: "bench" });
const sessions = [];

try {
  const points = [];
  for (const count of COUNTS) {
    const { session } = await request();
    sessions.push(session);
    await client.command(session, { type: "navigate", url: page.url });
    await client.command(session, { type: "request_ui_tree" });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    points.push([count, below(hub.pid, kilobytesOf) / 1024]);
  }
  const each = points.at(-1)[1] / COUNTS.at(-1);
  figure({
    name: "memory of a launched Chrome with a page",
    ...{ value: each, unit: "MB", limit: 400 },
    note: "proportional share (PSS) of all its processes; the hub starts no browser below 400 MB of free memory",
  });
  const [before, startedAt] = [below(hub.pid, ticksOf), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const seconds = (performance.now() - startedAt) / 1_000;
  figure({
    name: "processor time of a launched Chrome with an idle page",
    value: ((below(hub.pid, ticksOf) - before) * MS_OF_TICK) / seconds / COUNTS.at(-1),
    unit: "ms of each second",
  });
  series({ name: "Memory over Chromes", x: "Chromes", y: "MB", lines: { Chromes: points } });
} finally {
  for (const session of sessions) await client.delete(`/v1/sessions/${session}/browser`);
  client.close();
  page.close();
  await bus.close();
}

/** A browser of the hub. The queue of a bus that was created a moment ago may not accept requests yet. */
async function request() {
  for (let left = 20; ; left--) {
    try {
      return await client.post("/v1/browsers", { leaseMs: 600_000, waitMs: 60_000 });
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** The sum of something over all processes below one. */
function below(root, measure) {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(parentOf),
  );
  const isBelow = (pid) => {
    for (let at = parents.get(pid); at !== undefined; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  const all = [...parents.keys()].filter(isBelow).map(measure);
  return all.reduce((sum, one) => sum + one, 0);
}

/** Memory of a process, with its share of what it has in common with others. */
function kilobytesOf(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

/** Processor time of a process, in user and in system mode. */
function ticksOf(pid) {
  const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

function parentOf(name) {
  const parent = /^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1];
  return parent === undefined ? [] : [[Number(name), Number(parent)]];
}

/** A process may end while it is read. */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
