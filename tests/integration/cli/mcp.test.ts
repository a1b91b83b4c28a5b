import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Executor } from "@debug-bridge/mcp";
import { expect, it, onTestFinished } from "vitest";
import { mcpClient } from "../../e2e/mcp/client.js";
import { runCli, startUp, temporaryFolder } from "../../fixtures.js";
import { hello } from "../../support/hub.js";
import { WireClient } from "../../support/wire-client.js";

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
