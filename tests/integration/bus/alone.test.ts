import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startUp, temporaryFolder } from "../../fixtures.js";
import { isLoaded, loadedModules } from "../../support/loaded-modules.js";

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
