/** The hub in its own process, open on loopback, with the memory and processor time that it uses on request. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHub } from "@debug-bridge/server";

const home = mkdtempSync(join(tmpdir(), "debug-bridge-bench-"));
const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, auth: "none", home });
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send({ rss, heapUsed, cpuMs: (user + system) / 1_000 });
});
process.on("disconnect", () => {
  rmSync(home, { recursive: true, force: true });
  process.exit();
});
process.send({ port: Number(new URL(hub.url).port), consolePort: Number(new URL(hub.consoleUrl).port) });
