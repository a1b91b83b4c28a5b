/**
 * Runs one row of the load table: a hub, an attacker, and a session of somebody else whose round trips are measured, each of
 * the first two in a process of its own. Prints one line of JSON. Arguments: the row, and for how many seconds.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { ROWS } from "./rows.mjs";

const [name, seconds] = process.argv.slice(2);
const row = ROWS[name];
/** Within how many megabytes of what it was the memory has to return, and how long that may take. */
const RETURNED_MB = 20;
const RETURN_TIMEOUT_MS = 40_000;
const ATTACK_TIMEOUT_MS = 60_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const file = (path) => new URL(path, import.meta.url).pathname;

const home = mkdtempSync(join(tmpdir(), "debug-bridge-load-"));
const attacked = await startHub(home, row.record ? "record" : "");
/** A second hub that nobody attacks: what it takes is the machine's fault. */
const idle = await startHub(mkdtempSync(join(tmpdir(), "debug-bridge-load-")), "");

async function startHub(folder, record) {
  const child = fork(file("./hub.mjs"), [folder, record], { execArgv: ["--expose-gc"] });
  const [hub] = await once(child, "message");
  return { child, hub, folder, ...(await startVictim(hub)) };
}

/** Somebody else's session: an app that answers at once, and an agent that asks. */
async function startVictim(hub) {
  const open = async (role) => {
    const url = `${hub.url.replace("http", "ws")}/debug?role=${role}&sessionId=victim&token=${hub.token}&quiet`;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, "open");
    return socket;
  };
  const app = await open("app");
  app.on("message", (data) => {
    const { requestId, type } = JSON.parse(String(data));
    if (requestId === undefined) return;
    const base = { sessionId: "victim", timestamp: Date.now(), origin: "app" };
    app.send(
      JSON.stringify({ ...base, type: "command_result", requestType: type, requestId, success: true }),
    );
  });
  const agent = await open("agent");
  const waiting = new Map();
  agent.on("message", (data) => waiting.get(JSON.parse(String(data)).requestId)?.());
  let next = 1;
  const roundTrip = async () => {
    const requestId = `r${next++}`;
    const started = performance.now();
    const base = { sessionId: "victim", timestamp: Date.now(), origin: "agent" };
    const answered = new Promise((resolve) => waiting.set(requestId, resolve));
    agent.send(JSON.stringify({ ...base, type: "click", target: { ref: "e1" }, requestId }));
    await answered;
    waiting.delete(requestId);
    return performance.now() - started;
  };
  const health = async () => {
    const started = performance.now();
    await (await fetch(`${hub.url}/healthz`)).text();
    return performance.now() - started;
  };
  return { roundTrip, health };
}

const rss = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${attacked.child.pid}/status`, "utf8"))?.[1]) / 1024;

/** Nanoseconds that the attacked hub's main thread has run, and those that it waited for a processor. */
const scheduled = () =>
  readFileSync(`/proc/${attacked.child.pid}/schedstat`, "utf8").split(" ").slice(0, 2).map(Number);

const p99 = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length * 0.99)];

/** Measures both hubs for a time, and until something is so; the highest memory of the attacked one with it. */
async function measure(ms, isDone = () => true) {
  const trips = { load: [], control: [] };
  const healths = { load: [0], control: [0] };
  let highest = rss();
  const [ranBefore, waitedBefore] = scheduled();
  const end = performance.now() + ms;
  const latest = end + ATTACK_TIMEOUT_MS;
  const count = () => trips.load.length;
  while (performance.now() < end || count() < 30 || (!isDone() && performance.now() < latest)) {
    trips.load.push(await attacked.roundTrip());
    trips.control.push(await idle.roundTrip());
    if (count() % 10 === 0) {
      healths.load.push(await attacked.health());
      healths.control.push(await idle.health());
    }
    highest = Math.max(highest, rss());
    await pause(2);
  }
  const [ran, waited] = scheduled();
  return {
    // How many times longer everything took because other programs used the processors.
    stretch: 1 + (waited - waitedBefore) / Math.max(1, ran - ranBefore),
    load: { p99: p99(trips.load), health: Math.max(...healths.load), highest },
    control: { worst: Math.max(...trips.control, ...healths.control), p99: p99(trips.control) },
  };
}

async function free() {
  attacked.child.send("free");
  await once(attacked.child, "message");
  return rss();
}

await measure(500);
const before = await free();
const attacker = fork(file("./attacker.mjs"), [name, JSON.stringify(attacked.hub)], { stdio: "ignore" });
let isSent = false;
let startedAt = Number.POSITIVE_INFINITY;
attacker.on("message", (message) => {
  if (message === "started") startedAt = performance.now();
  else isSent = true;
});
// An attack that ends is measured to its end, others for some seconds from when all of their connections are open.
const { load, control, stretch } = await measure(0, () =>
  row.ends ? isSent || attacker.exitCode !== null : performance.now() > startedAt + Number(seconds) * 1_000,
);
const descriptors = readdirSync(`/proc/${attacked.child.pid}/fd`).length;
attacker.kill("SIGKILL");
await once(attacker, "exit");
const deadline = performance.now() + RETURN_TIMEOUT_MS;
let after = await free();
while (after > before + RETURNED_MB && performance.now() < deadline) {
  await pause(500);
  after = Math.min(after, await free());
}
const sizeOf = (path) => {
  try {
    return statSync(join(home, path)).size / 1024 / 1024;
  } catch {
    return 0;
  }
};
const audit = sizeOf("audit-refused.jsonl");
const folders = readdirSync(join(home, "debug", "sessions")).length;
process.stdout.write(
  `${JSON.stringify({ name, open: row.open === true, control, load, stretch, before, after, audit, folders, descriptors, isComplete: !row.ends || isSent })}\n`,
);
for (const { child, folder } of [attacked, idle]) {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
