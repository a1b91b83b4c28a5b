import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { CLI, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { natsProgram } from "../../support/bus/nats.js";
import { freePort } from "../../support/hub/free-port.js";
import type { Process } from "./files.js";

/** A process of a file that runs here. */
export interface Running extends Started {
  readonly name: string;
  /** The address of a port that the file names. */
  at(port: number): string;
}

/** Names and ports of the files mean separate machines; here everything is on this one. */
class Places {
  private readonly ports = new Map<string, number>();

  constructor(private readonly processes: readonly Process[]) {}

  async assign(): Promise<void> {
    for (const { name } of this.processes)
      for (const port of [4000, 4222, 6222, 8222]) this.ports.set(`${name}:${port}`, await freePort());
  }

  port(name: string, port: number): number {
    return this.ports.get(`${name}:${port}`) as number;
  }

  /** A text of the files with the places that its addresses have here. */
  here(owner: string, text: string): string {
    let changed = text.replace(
      /0\.0\.0\.0:(\d+)/g,
      (_, port) => `127.0.0.1:${this.port(owner, Number(port))}`,
    );
    for (const { name, hosts } of this.processes)
      for (const host of hosts)
        changed = changed.replaceAll(
          new RegExp(`(?<=[/@])${host.replaceAll(".", "\\.")}:(\\d+)`, "g"),
          (_, port) => `127.0.0.1:${this.port(name, Number(port))}`,
        );
    return changed;
  }
}

/** Starts the processes of a file with its arguments and its environment. */
export async function startAll(processes: readonly Process[], token: string): Promise<Running[]> {
  const places = new Places(processes);
  await places.assign();
  const isNats = ({ name }: Process): boolean => name.startsWith("nats");
  const startOne = (process_: Process): Running => {
    const { name } = process_;
    const args = process_.args.map((arg) => places.here(name, arg));
    const env = Object.fromEntries(
      Object.entries(process_.env).map(([key, value]) => [key, places.here(name, value)]),
    );
    const port = (wanted: number): number => places.port(name, wanted);
    const started = isNats(process_) ? startNats(args, port) : startHub(args, env, port(4000), token);
    return { ...started, name, at: (wanted) => `http://127.0.0.1:${port(wanted)}` };
  };
  const servers = processes.filter(isNats).map(startOne);
  await Promise.all(servers.map((each, i) => ready(each, processes.filter(isNats)[i] as Process)));
  const hubs = processes.filter((each) => !isNats(each)).map(startOne);
  await Promise.all(
    hubs.map((each, i) => ready(each, processes.filter((one) => !isNats(one))[i] as Process)),
  );
  return [...servers, ...hubs];
}

function startNats(args: readonly string[], port: (wanted: number) => number): Started {
  const folder = temporaryFolder();
  const changed = args.map((arg) => (arg === "/data" ? folder : arg === "8222" ? String(port(8222)) : arg));
  return start(natsProgram(), [...changed, "--addr", "127.0.0.1", "--port", String(port(4222))]);
}

function startHub(
  args: readonly string[],
  env: Record<string, string>,
  port: number,
  token: string,
): Started {
  const home = temporaryFolder();
  writeFileSync(join(home, "token"), `${token}\n`, { mode: 0o600 });
  // All hubs are on this machine, so each has its own ports and listens to nobody else.
  const changed = args.map((arg) => (arg === "0.0.0.0" ? "127.0.0.1" : arg));
  const ports = ["--port", String(port), "--console-port", "0", "--relay-port", "0"];
  return start(process.execPath, [CLI, ...changed, ...ports], { ...env, DEBUG_BRIDGE_HOME: home });
}

async function ready(running: Running, { health }: Process): Promise<void> {
  await until(async () => {
    if (running.child.exitCode !== null) throw new Error(`${running.name} ended: ${running.output.stderr}`);
    return (await statusOf(`${running.at(health.port)}${health.path}`)) === 200;
  });
}

/** The status of a request that reached a server by a name. */
export function statusOf(url: string, host?: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, host === undefined ? {} : { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", () => resolve(undefined));
    sent.end();
  });
}
