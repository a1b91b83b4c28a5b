/** [AGT-028] From the write of `pause` until `paused` is in the events: ours, chokidar with a stability wait, and polling. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { appendLine, followLines } from "@debug-bridge/journal";
import { CLI } from "../lib/cli.mjs";
import { figure, median } from "../lib/figure.mjs";

const ROUNDS = 21;
const PEER = fileURLToPath(new URL("peer-agent.mjs", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));

/** Starts a process and resolves with its first line. */
function start(args) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, DEBUG_BRIDGE_HOME: home },
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.stdout.once("data", (data) => resolve({ child, line: String(data).split("\n")[0] }));
  });
}

async function ours() {
  const script = join(home, "turns.json");
  writeFileSync(script, JSON.stringify(Array.from({ length: 100_000 }, () => ({ text: "on", delayMs: 1 }))));
  const { child, line } = await start([CLI, "agent", "run", "--json", "--script", script, "bench"]);
  return { child, folder: JSON.parse(line).folder };
}

async function peer(way) {
  const folder = join(home, way);
  mkdirSync(folder);
  return { ...(await start([PEER, way, folder])), folder };
}

/** Gives a command and waits for the event that it causes. */
async function roundTrip({ folder }, type, event) {
  const following = { close: () => {} };
  const seen = new Promise((resolve) => {
    Object.assign(
      following,
      followLines(join(folder, "events.jsonl"), {
        from: "end",
        onLine: ({ text }) => text.includes(`"type":"${event}"`) && resolve(performance.now()),
      }),
    );
  });
  // Where in its period a poller is must not depend on when the last round ended.
  await sleep(Math.random() * 500);
  const written = performance.now();
  appendLine(join(folder, "commands.jsonl"), JSON.stringify({ type, id: `${type}-${written}` }));
  const took = (await seen) - written;
  following.close();
  return took;
}

const agents = { ours: await ours(), chokidar: await peer("chokidar"), polling: await peer("polling") };
const alive = setInterval(() => {}, 1_000);
const times = { ours: [], chokidar: [], polling: [] };
const resumes = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, agent] of Object.entries(agents)) {
    times[name].push(await roundTrip(agent, "pause", "paused"));
    const resumed = await roundTrip(agent, "resume", "resumed");
    if (name === "ours") resumes.push(resumed);
  }
}
clearInterval(alive);
for (const { child } of Object.values(agents)) child.kill("SIGKILL");
await sleep(100);
rmSync(home, { recursive: true, force: true });

const value = median(times.ours);
figure({ name: "agent: pause, from the write to paused", value, unit: "ms", limit: 10 });
figure({ name: "agent: resume, from the write to resumed", value: median(resumes), unit: "ms", limit: 10 });
for (const [way, what] of [
  ["chokidar", "chokidar with a 100 ms stability wait"],
  ["polling", "polling every 500 ms"],
]) {
  const ratio = median(times[way]) / value;
  figure({
    name: `agent: pause against ${what}`,
    value: ratio,
    unit: "x faster",
    limit: 5,
    atLeast: true,
    note: `${median(times[way]).toFixed(1)} ms against ${value.toFixed(1)} ms`,
  });
}
