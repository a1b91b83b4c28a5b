import { readFileSync } from "node:fs";
import { MemoryExchange, startHub } from "@debug-bridge/server";
import { expect, test } from "vitest";
import { startUp, temporaryFolder } from "../../fixtures.js";
import { freePort } from "../../support/hub/free-port.js";
import { isLoaded, loadedModules } from "../../support/hub/loaded-modules.js";

test("without --bus a hub starts no other process [ARC-105]", async () => {
  const { child } = await startUp();
  expect(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim()).toBe("");
});

test("a hub without a bus does not load the client of NATS", async () => {
  const code = `import { startHub } from "@debug-bridge/server";
    const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, home: ${JSON.stringify(temporaryFolder())} });
    await hub.close();`;
  const modules = await loadedModules(["--input-type=module", "-e", code]);
  expect(isLoaded(modules, "hono")).toBe(true);
  expect(isLoaded(modules, "@nats-io/transport-node")).toBe(false);
});

test("a hub that cannot join its bus says why, and leaves its ports", async () => {
  const exchange = new MemoryExchange();
  exchange.hubs.watch = () => Promise.reject(new Error("nobody may watch"));
  const ports = { port: await freePort(), consolePort: 0, relayPort: 0, home: temporaryFolder() };
  await expect(startHub({ ...ports, bus: exchange.connect() })).rejects.toThrow("nobody may watch");
  const hub = await startHub(ports);
  await hub.close();
});
