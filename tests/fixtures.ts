import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, TestRunner } from "vitest";
import { rememberHome } from "./support/chrome/pairing.js";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** The command that people run. It is a bundle, which starts in half the time that its modules take. */
export const CLI = join(ROOT, "packages/cli/bin/debug-bridge.js");

/** A new folder that is gone when the test is. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  onTestFinished(() => removeFolder(path));
  return path;
}

/**
 * Removes a folder. A browser that is ending may still write into it for a moment; `rmSync` by itself tries again only to
 * remove a folder, without those files that were written meanwhile.
 */
export async function removeFolder(path: string): Promise<void> {
  await until(() => {
    try {
      rmSync(path, { recursive: true, force: true });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
      return false;
    }
  });
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly finished: Promise<Finished>;
}

/** Starts a program; it is killed when the test ends, if it still runs. */
export function start(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  cwd = ROOT,
  /** With a separate process group, so that `process.kill(-pid)` ends all that it starts, too. */
  isGroup = false,
): Started {
  const child = spawn(command, args, {
    cwd,
    detached: isGroup,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  // A character may come in two pieces.
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8");
  child.stdout?.on("data", (data) => {
    output.stdout += data;
  });
  child.stderr?.on("data", (data) => {
    output.stderr += data;
  });
  // Outside a test, as in `beforeAll`, the caller ends it.
  if (TestRunner.getCurrentTest()) onTestFinished(() => void child.kill("SIGKILL"));
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, output, finished };
}

/** Runs the command line to its end. */
export function runCli(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  return start(process.execPath, [CLI, ...args], env).finished;
}

export interface ReadyLine {
  readonly event: "ready";
  readonly hub: string;
  readonly console: string;
  readonly relay: string;
  readonly tokenFile: string;
  readonly demo?: string;
  /** The name of the hub on its bus. */
  readonly name?: string;
}

/** Starts `debug-bridge up --json` on free ports and waits for its ready line. */
export async function startUp(
  args: string[] = [],
  home = temporaryFolder(),
  env: Record<string, string> = {},
): Promise<Started & { ready: ReadyLine }> {
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const started = start(process.execPath, [CLI, "up", "--json", ...ports, ...args], {
    ...env,
    DEBUG_BRIDGE_HOME: home,
  });
  await until(() => started.output.stdout.includes("\n") || started.child.exitCode !== null);
  const ready = JSON.parse(started.output.stdout.split("\n")[0] ?? "") as ReadyLine;
  rememberHome(dirname(ready.tokenFile), ready.console, ready.relay);
  return { ...started, ready };
}

/** Waits until a condition holds. The limit is for a broken product, not for a slow machine. */
export function until<Value>(
  condition: () => Value | Promise<Value>,
  limitMs = 120_000,
): Promise<Exclude<Value, false | null | undefined>> {
  const held = poll(condition, limitMs);
  // A test may end without what it did not wait for in the end; the tests after it have nothing to do with that.
  held.catch(() => undefined);
  return held;
}

async function poll<Value>(
  condition: () => Value | Promise<Value>,
  limitMs: number,
): Promise<Exclude<Value, false | null | undefined>> {
  const started = Date.now();
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<Value, false | null | undefined>;
    const waited = Date.now() - started;
    if (waited > limitMs) throw new Error(`waited ${limitMs} ms for: ${condition.toString()}`);
    // What takes long is asked for less often: asking takes time from what is waited for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(5 + waited / 20, 50)));
  }
}
