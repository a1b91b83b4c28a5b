import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { announcedHubs } from "@debug-bridge/client";
import { Executor } from "@debug-bridge/mcp";
import { DEFAULT_PORTS } from "@debug-bridge/server";
import { expect, it, onTestFinished } from "vitest";
import { mcpClient } from "../../e2e/mcp/client.js";
import { runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { hello } from "../../support/hub/hub.js";
import { CLI_MODULES, isLoaded, loadedModules } from "../../support/hub/loaded-modules.js";
import { WireClient } from "../../support/hub/wire-client.js";

/** Uses a port for the time of a test, unless another program does already. */
async function takePort(port: number): Promise<void> {
  const server = createTcpServer();
  onTestFinished(() => {
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.once("error", () => resolve());
    server.listen(port, "127.0.0.1", resolve);
  });
}

it("mcp answers initialize and tools/list when no hub can be reached", async () => {
  const mcp = await mcpClient(["--hub", "http://127.0.0.1:9", "--home", temporaryFolder()]);
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toContain("observe");
  const { isError, text } = await mcp.call("sessions");
  expect(isError).toBe(true);
  expect(text).toContain("debug-bridge up");
});

it("mcp finds another hub of its home when its own is gone", async () => {
  const home = temporaryFolder();
  const first = await startUp([], home);
  const mcp = await mcpClient(["--home", home]);
  expect((await mcp.call("sessions")).isError).toBe(false);
  const second = await startUp([], home);
  first.child.kill("SIGKILL");
  await first.finished;
  const app = await WireClient.connect(second.ready.hub, { role: "app", sessionId: "shop" });
  app.send(hello);
  const { isError, text } = await mcp.call("sessions");
  expect([isError, text]).toEqual([false, expect.stringContaining("shop app connected")]);
});

it("mcp needs none of the default ports, and starts another hub when the one of another client is gone", async () => {
  for (const port of Object.values(DEFAULT_PORTS)) await takePort(port);
  const home = temporaryFolder();
  const first = await mcpClient(["--home", home]);
  expect((await first.call("sessions")).isError).toBe(false);
  const [hub] = announcedHubs(home);
  expect(Object.values(DEFAULT_PORTS)).not.toContain(hub?.ports.hub);
  const second = await mcpClient(["--home", home]);
  expect((await second.call("sessions")).isError).toBe(false);
  expect(announcedHubs(home).map(({ pid }) => pid)).toEqual([first.pid]);
  process.kill(first.pid, "SIGKILL");
  await until(() => announcedHubs(home).length === 0);
  expect((await second.call("sessions")).isError).toBe(false);
  expect(announcedHubs(home).map(({ pid }) => pid)).toEqual([second.pid]);
});

it("mcp loads no hub and no browser before a client needs one", async () => {
  // Its standard input is at its end from the beginning, so that nobody asks for anything.
  const modules = await loadedModules([CLI_MODULES, "mcp", "--home", temporaryFolder()]);
  expect(modules.some((url) => url.endsWith("/mcp/dist/server.js"))).toBe(true);
  expect(modules.filter((url) => /\/packages\/(server|runner|driver|agent|journal)\//.test(url))).toEqual([]);
});

it("help loads no command", async () => {
  const modules = await loadedModules([CLI_MODULES, "--help"]);
  expect(modules.some((url) => url.endsWith("/cli/dist/catalog.js"))).toBe(true);
  expect(modules.filter((url) => url.includes("/cli/dist/commands/"))).toEqual([]);
  expect(isLoaded(modules, "zod")).toBe(false);
});

it("mcp ends with its client, also while its hub is starting, and leaves no hub behind", async () => {
  const home = temporaryFolder();
  const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
  // Its standard input is at its end from the beginning.
  expect((await runCli(["mcp", "--home", home, ...ports])).code).toBe(0);
  const hubs = await runCli(["sessions", "--home", home, "--json"]);
  expect(hubs.stdout).not.toContain("127.0.0.1");
});

it("execute goes back to standby when another client takes the slot first", async () => {
  let upgrades = 0;
  const relay = createServer((request, response) => {
    const isSlot = request.url === "/client-slot";
    response.end(
      JSON.stringify(isSlot ? { busy: false, activeClientId: null } : { ok: true, extension: true }),
    );
  });
  relay.on("upgrade", (_request, socket) => {
    const status = ++upgrades < 3 ? "409 Conflict" : "403 Forbidden";
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    relay.closeAllConnections();
    relay.close();
  });
  const cdpUrl = `ws://127.0.0.1:${(relay.address() as AddressInfo).port}/cdp?token=t`;
  const executor = new Executor({ relayUrl: () => cdpUrl });
  await expect(executor.run("return 1")).rejects.toThrow("403");
  expect(upgrades).toBe(3);
  await executor.close();
});
