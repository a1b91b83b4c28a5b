/**
 * What a message from an app to an agent costs in processor time of the hubs: both on one hub, and on two hubs that share a bus
 * over NATS. Rounds of both alternate; the lowest of each counts. The time of the NATS server is a figure of its own.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { ensureNats } from "../../scripts/lib/nats.mjs";
import { figure } from "../lib/figure.mjs";

const MESSAGES = 20_000;
const ROUNDS = 5;
const WINDOW = 500;
const CLI = new URL("../../packages/cli/dist/main.js", import.meta.url).pathname;
/** Clock ticks of Linux per second. */
const TICKS = 100;

const folder = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
const nats = spawn(
  await ensureNats(),
  ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", folder],
  { stdio: "ignore" },
);
const bus = await natsAddress();
const alone = await startHub("alone");
const [first, second] = [await startHub("first", "--bus", bus), await startHub("second", "--bus", bus)];

const onOne = await load(alone, alone, [alone.child.pid]);
const onTwo = await load(first, second, [first.child.pid, second.child.pid]);
const [one, two, server] = [[], [], []];
for (let round = -1; round < ROUNDS; round++) {
  const [a, b] = [await onOne.run(), await onTwo.run()];
  if (round < 0) continue;
  one.push(a.hubs);
  two.push(b.hubs);
  server.push(b.nats);
}
const [lowestOne, lowestTwo] = [Math.min(...one), Math.min(...two)];
figure({ name: "one hub: processor time per message", value: lowestOne, unit: "µs" });
figure({ name: "two hubs over NATS: processor time per message, both hubs", value: lowestTwo, unit: "µs" });
figure({ name: "two hubs over NATS: NATS server per message", value: Math.min(...server), unit: "µs" });
figure({
  name: "cost per message across hubs, against one hub",
  value: lowestTwo / lowestOne,
  unit: "×",
  limit: 3,
});

for (const { child } of [alone, first, second]) child.kill("SIGKILL");
nats.kill("SIGKILL");
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function natsAddress() {
  for (;;) {
    const file = readdirSync(folder).find((name) => name.endsWith(".ports"));
    const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
    if (text !== "") return JSON.parse(text).nats[0];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function startHub(name, ...args) {
  const home = join(folder, name);
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const child = spawn(process.execPath, [CLI, "up", "--json", "--home", home, ...ports, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { hub, tokenFile } = JSON.parse(String(line));
  return { child, url: hub.replace("http", "ws"), token: readFileSync(tokenFile, "utf8").trim() };
}

/** An app on one hub and an agent on another, which may be the same. */
async function load(appHub, agentHub, pids) {
  const sessionId = `s-${pids.join("-")}`;
  const app = new WebSocket(`${appHub.url}/debug?role=app&sessionId=${sessionId}`);
  await once(app, "open");
  const query = `role=agent&sessionId=${sessionId}&token=${agentHub.token}`;
  const agent = new WebSocket(`${agentHub.url}/debug?${query}`);
  let received = 0;
  agent.on("message", (data) => {
    if (data.length > 250) received++;
  });
  await once(agent, "open");
  const frame = JSON.stringify({
    ...{
      sessionId,
      timestamp: 1_760_000_000_000,
      origin: "app",
      type: "network",
      id: "r-1",
      phase: "response",
    },
    ...{ api: "fetch", method: "POST", url: "http://localhost:5173/api/orders/4711/lines?expand=product" },
    ...{ status: 201, statusText: "Created", durationMs: 38.4, requestBytes: 312, responseBytes: 1840 },
  });
  return {
    async run() {
      const before = { hubs: processorTime(pids), nats: processorTime([nats.pid]) };
      const [start, goal] = [received, received + MESSAGES];
      for (let sent = 0; received < goal; ) {
        while (sent < MESSAGES && sent - (received - start) < WINDOW) {
          app.send(frame);
          sent++;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      // What is stored in the background belongs to the cost.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const per = (ticks) => (ticks / TICKS / MESSAGES) * 1e6;
      return {
        hubs: per(processorTime(pids) - before.hubs),
        nats: per(processorTime([nats.pid]) - before.nats),
      };
    },
  };
}

/** Ticks that processes have used, in user and in system mode. */
function processorTime(pids) {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
}
