/** A NATS server and hubs that share it, each a process of its own, and what they cost. */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureNats } from "../../scripts/lib/nats.mjs";
import { CLI } from "../lib/cli.mjs";

const HUB_PROCESS = new URL("./hub-process.mjs", import.meta.url).pathname;
/** Clock ticks of Linux per second. */
const TICKS = 100;

/** Everything that is started here ends with `close`. */
export async function startBus() {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
  const monitor = ["-m", "-1"];
  const nats = spawn(
    await ensureNats(),
    ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", "-1", ...monitor, "--ports_file_dir", folder],
    { stdio: "ignore" },
  );
  const ports = await portsOf(folder);
  const hubs = [];
  return {
    nats: nats.pid,
    /** What the NATS server says about itself: connections, bytes, memory. */
    varz: async () => (await fetch(`${ports.monitoring[0]}/varz`)).json(),
    /** A hub on this bus; one that shares nothing with `alone`. */
    async startHub(name, { alone = false, args = [] } = {}) {
      const shared = alone ? [] : ["--bus", ports.nats[0], "--bus-name", name];
      const hub = await startHub(join(folder, name), [...shared, ...args]);
      hubs.push(hub);
      return hub;
    },
    /** A hub on this bus whose memory can be measured after what can be freed was. */
    async startMeasuredHub(name) {
      const args = [join(folder, name), ports.nats[0], name];
      const child = fork(HUB_PROCESS, args, { execArgv: ["--expose-gc"] });
      const [{ port, url, token }] = await once(child, "message");
      /** What the process has, and what of it is in use. */
      const memory = async () => {
        child.send("memory");
        const [{ rss, heapUsed }] = await once(child, "message");
        return { residentMb: rss / 1024 ** 2, usedMb: heapUsed / 1024 ** 2 };
      };
      hubs.push({ child });
      return { port, url, token, memory };
    },
    async close() {
      for (const { child } of hubs) child.kill("SIGKILL");
      nats.kill("SIGKILL");
      await once(nats, "exit");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function portsOf(folder) {
  for (;;) {
    const file = readdirSync(folder).find((name) => name.endsWith(".ports"));
    const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
    if (text !== "") return JSON.parse(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function startHub(home, args) {
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const child = spawn(process.execPath, [CLI, "up", "--json", "--home", home, ...ports, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { hub, tokenFile } = JSON.parse(String(line));
  const token = readFileSync(tokenFile, "utf8").trim();
  return { child, pid: child.pid, url: hub, port: Number(new URL(hub).port), token };
}

/** Seconds of processor time that processes have used, in user and in system mode. */
export function processorSeconds(pids) {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS;
  }, 0);
}

/** Seconds of processor time that all programs of the machine have used, including what was taken from it by its host. */
export function machineSeconds() {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS;
}

/** Waits until processes have nothing left to do of what came before. */
export async function untilIdle(pids, timeoutMs = 20_000) {
  const ends = Date.now() + timeoutMs;
  for (let before = processorSeconds(pids); Date.now() < ends; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = processorSeconds(pids);
    if (after - before <= 0.02 * pids.length) return;
    before = after;
  }
}

/** Resident memory of a process in MB. */
export function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
