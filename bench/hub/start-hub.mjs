import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI } from "../lib/cli.mjs";

/** The product itself, in its own process: `debug-bridge up` on free ports, open on loopback. */
export async function startHubProcess(...args) {
  const home = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  const child = spawn(
    process.execPath,
    [CLI, "up", "--json", "--auth", "none", "--home", home, ...ports, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [line] = await once(child.stdout, "data");
  const ready = JSON.parse(String(line));
  return {
    url: ready.hub,
    console: ready.console,
    home,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
      rmSync(home, { recursive: true, force: true });
    },
  };
}
