import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";

export interface TestNats {
  /** `nats://127.0.0.1:PORT`, without a namespace. */
  readonly url: string;
  /** Kills it, and starts it again on the same port with what it has stored. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a NATS server with JetStream on a free port, in a separate folder. The caller stops it. */
export async function startNats(args: readonly string[] = []): Promise<TestNats> {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-nats-"));
  let server = await run(folder, ["-p", "-1", ...args]);
  const { url } = server;
  return {
    url,
    async restart() {
      await kill(server.child);
      server = await run(folder, ["-p", new URL(url).port, ...args]);
    },
    async stop() {
      await kill(server.child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server of a cluster that can be killed and started again. */
interface NatsNode {
  readonly name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface NatsCluster {
  /** The addresses of all servers, separated by commas; those of the first one have the namespace. */
  readonly url: string;
  readonly nodes: readonly NatsNode[];
  /** Resolves when every server has caught up with the others. */
  healthy(): Promise<void>;
}

/** Starts NATS servers that keep everything on all of them. They end with the test. */
export async function startNatsCluster(count: number, namespace: string): Promise<NatsCluster> {
  const ports = await freePorts(3 * count);
  const routes = ports.slice(0, count).map((port) => `nats://127.0.0.1:${port}`);
  const clients = ports.slice(count, 2 * count);
  const monitors = ports.slice(2 * count);
  const nodes = routes.map((route, i): NatsNode => {
    const folder = temporaryFolder();
    const args = ["-p", String(clients[i]), "-m", String(monitors[i]), "-n", `node-${i}`];
    const cluster = ["--cluster_name", "test", "--cluster", route, "--routes", routes.join(",")];
    let child: ChildProcess | undefined;
    onTestFinished(() => void child?.kill("SIGKILL"));
    return {
      name: `node-${i}`,
      kill: async () => child && kill(child),
      async start() {
        ({ child } = await run(folder, [...args, ...cluster]));
      },
    };
  });
  await Promise.all(nodes.map((node) => node.start()));
  const isHealthy = (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    url: clients.map((port, i) => `nats://127.0.0.1:${port}${i === 0 ? `/${namespace}` : ""}`).join(","),
    nodes,
    async healthy() {
      for (const port of monitors) await until(() => isHealthy(port));
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function run(folder: string, args: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const options = ["-js", "-sd", folder, "-a", "127.0.0.1", "--ports_file_dir", folder];
  const child = spawn(natsProgram(), [...options, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr?.on("data", (data) => {
    log += data;
  });
  const url = await until(() => {
    if (child.exitCode !== null) throw new Error(`nats-server ended: ${log}`);
    return log.includes("Server is ready") ? readAddress(folder, child.pid) : undefined;
  });
  return { url, child };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  child.kill("SIGKILL");
  await exited;
}

function readAddress(folder: string, pid: number | undefined): string | undefined {
  const file = readdirSync(folder).find((name) => name.endsWith(`_${pid}.ports`));
  if (file === undefined) return undefined;
  const text = readFileSync(join(folder, file), "utf8");
  return text === "" ? undefined : (JSON.parse(text) as { nats: string[] }).nats[0];
}

export function natsProgram(): string {
  const candidates = [process.env.NATS_PATH, "/usr/sbin/nats-server", "/usr/local/bin/nats-server"];
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? "nats-server";
}
