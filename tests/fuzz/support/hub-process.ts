import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { CLI, type ReadyLine, until } from "../../fixtures.js";
import { rememberHome } from "../../support/chrome/pairing.js";
import { Inspector } from "./inspector.js";

const MAX_HEALTH_MS = 1_000;
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;
/** What Node prints when nothing caught an error. */
const UNCAUGHT = /Uncaught|Unhandled|^\s+at .+:\d+:\d+|\b(?:Type|Range|Reference)Error\b/m;

/** A real hub in its own process, with a home that nobody else has. */
export class HubProcess {
  private baseline = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly home: string,
    readonly ready: ReadyLine,
    private readonly inspector: Inspector,
    private readonly output: { readonly stderr: string },
  ) {}

  static async start(args: readonly string[] = []): Promise<HubProcess> {
    const home = mkdtempSync(join(tmpdir(), "debug-bridge-fuzz-"));
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const child = spawn(
      process.execPath,
      ["--inspect=127.0.0.1:0", CLI, "up", "--json", "--record", ...ports, ...args],
      {
        env: { ...process.env, NO_COLOR: "1", DEBUG_BRIDGE_HOME: home },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const output = { stdout: "", stderr: "" };
    child.stdout?.on("data", (data) => {
      output.stdout += data;
    });
    child.stderr?.on("data", (data) => {
      output.stderr += data;
    });
    await until(() => output.stdout.includes("\n") || child.exitCode !== null);
    const inspector = await Inspector.connect(/ws:\/\/\S+/.exec(output.stderr)?.[0] ?? "");
    const ready = JSON.parse(output.stdout.split("\n")[0] ?? "") as ReadyLine;
    rememberHome(home, ready.console, ready.relay);
    const hub = new HubProcess(child, home, ready, inspector, output);
    hub.baseline = await inspector.usedBytes();
    return hub;
  }

  get token(): string {
    return readFileSync(this.ready.tokenFile, "utf8").trim();
  }

  /** A request with the token. */
  api(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers };
    return fetch(`${this.ready.hub}${path}`, { ...init, headers });
  }

  /** The process runs, nothing was left uncaught, and it answers soon. */
  async expectHealthy(): Promise<void> {
    expect(this.child.exitCode, this.output.stderr).toBeNull();
    expect(this.child.signalCode, this.output.stderr).toBeNull();
    expect(this.output.stderr).not.toMatch(UNCAUGHT);
    const response = await fetch(`${this.ready.hub}/healthz`, { signal: AbortSignal.timeout(MAX_HEALTH_MS) });
    expect(response.status).toBe(200);
  }

  /** Memory that is still in use after a collection, compared with the start. */
  async expectBoundedMemory(): Promise<void> {
    const growth = (await this.inspector.usedBytes()) - this.baseline;
    expect(growth, `memory grew by ${Math.round(growth / 1024 / 1024)} MB`).toBeLessThan(MAX_GROWTH_BYTES);
  }

  /** Every line that the hub recorded, of every session, is a whole record. */
  expectWholeRecordings(): void {
    const sessions = join(this.home, "debug/sessions");
    for (const folder of readdirSync(sessions)) {
      const lines = readRecording(join(sessions, folder, "events.jsonl")).slice(0, -1);
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty("sequence");
    }
  }

  async stop(): Promise<void> {
    this.inspector.close();
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    if (this.child.exitCode === null && this.child.kill("SIGKILL")) await ended;
    rmSync(this.home, { recursive: true, force: true });
  }
}

function readRecording(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}
