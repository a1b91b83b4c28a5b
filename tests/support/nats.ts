import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../fixtures.js";

export interface TestNats {
  /** `nats://127.0.0.1:PORT`, without a namespace. */
  readonly url: string;
  /** Kills it, and starts it again on the same port with what it has stored. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a NATS server with JetStream on a free port, in a folder of its own. Whoever starts it stops it. */
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

function natsProgram(): string {
  const candidates = [process.env.NATS_PATH, "/usr/sbin/nats-server", "/usr/local/bin/nats-server"];
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? "nats-server";
}
