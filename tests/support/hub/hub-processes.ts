import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Finished, type ReadyLine, startUp, temporaryFolder } from "../../fixtures.js";

/** A hub in a separate process, with a separate home. */
export interface HubProcess {
  readonly ready: ReadyLine;
  readonly token: string;
  readonly home: string;
  readonly pid: number;
  readonly finished: Promise<Finished>;
  /** What it wrote to standard error so far. */
  log(): string;
  kill(signal?: NodeJS.Signals): void;
}

export interface HubProcessOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly token?: string;
}

export const newToken = (): string => randomBytes(32).toString("base64url");

/** Hubs on one bus, as on several machines whose homes have the same token. */
export function startHubs(
  bus: string,
  names: readonly string[],
  { token = newToken(), ...options }: HubProcessOptions = {},
): Promise<HubProcess[]> {
  return Promise.all(names.map((name) => startHub(bus, name, { ...options, token })));
}

export async function startHub(
  bus: string,
  name: string,
  { args = [], env = {}, token = newToken() }: HubProcessOptions = {},
): Promise<HubProcess> {
  const home = temporaryFolder();
  writeFileSync(join(home, "token"), `${token}\n`, { mode: 0o600 });
  const started = await startUp(["--bus", bus, "--bus-name", name, ...args], home, env);
  const { ready, child, output, finished } = started;
  return {
    ...{ ready, token, home, finished },
    pid: child.pid ?? 0,
    log: () => output.stderr,
    kill: (signal = "SIGKILL") => void child.kill(signal),
  };
}
