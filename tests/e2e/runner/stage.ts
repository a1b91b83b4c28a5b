import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserResponse, Log, RunnerConfigInput } from "@debug-bridge/protocol";
import { browserResponseSchema } from "@debug-bridge/protocol/schemas";
import { BrowserSessions, type RunnerOptions } from "@debug-bridge/runner";
import { type Hub, type HubOptions, startHub } from "@debug-bridge/server";
import { expect, onTestFinished } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";

/** Serves pages by path; every other path is a 404. The server ends with the test. */
export async function serve(pages: Record<string, string | RequestListener>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[(request.url ?? "/").replace(/\?.*$/, "")];
    if (page === undefined) response.writeHead(404).end("not here");
    else if (typeof page === "function") page(request, response);
    else
      response
        .setHeader("content-type", request.url?.endsWith(".js") ? "text/javascript" : "text/html")
        .end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** The processes whose command line names a path, such as those of a Chrome with its profile there. */
export function processesAt(path: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(path);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The main process of the Chrome whose profile is below a path. */
export function chromeAt(path: string): number {
  const [pid] = processesAt(path).filter((one) => {
    const line = readFileSync(`/proc/${one}/cmdline`, "utf8");
    return (
      line.includes("--remote-debugging-pipe") && !line.includes("--type=") && !line.includes("crashpad")
    );
  });
  if (pid === undefined) throw new Error(`no Chrome runs at ${path}`);
  return pid;
}

export interface Stage {
  readonly home: string;
  readonly project: string;
  readonly sessions: BrowserSessions;
  readonly received: Log[];
  /** The hub that the browsers join. It is started with the first call. */
  hub(): Promise<Hub>;
  /** Sends an instruction; its answer has been checked against the schema. */
  run(xml: string, options?: Partial<RunnerOptions>): Promise<BrowserResponse>;
}

/** A hub and browsers for one test. When it ends, all of them are closed and no process may be left. */
export function stage(config: RunnerConfigInput = {}, hubOptions: HubOptions = {}): Stage {
  const home = temporaryFolder();
  const project = join(home, "shop");
  const temporary = join(home, "tmp");
  mkdirSync(project);
  mkdirSync(temporary);
  // Temporary profiles are where they can be counted, too.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  const sessions = new BrowserSessions();
  const received: Log[] = [];
  let started: Promise<Hub> | undefined;
  const hub = (): Promise<Hub> => {
    started ??= startHub({ home, port: 0, consolePort: 0, relayPort: 0, driveTabs: false, ...hubOptions });
    return started;
  };
  onTestFinished(async () => {
    await sessions.closeAll();
    await (await started)?.close();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await until(() => processesAt(home).length === 0);
  });
  return {
    home,
    project,
    sessions,
    received,
    hub,
    async run(xml, options = {}) {
      const response = await sessions.handle(xml, {
        sessionId: "s",
        hub: await hub(),
        home,
        project,
        config: { retryDelay: 50, ...config },
        onLog: (log) => received.push(log),
        ...options,
      });
      const verdict = browserResponseSchema.safeParse(response);
      expect(verdict.error?.message).toBeUndefined();
      expect(response.success).toBe(response.error === undefined);
      return response;
    },
  };
}

/** The log entries, one line each. */
export const linesOf = ({ logs }: BrowserResponse): string[] =>
  logs.map(({ source, type, category, message }) => `${source} ${type} ${category ?? "-"}: ${message}`);

/** A port of this machine where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const gone = (home: string): Promise<true> => until(() => processesAt(home).length === 0);
