import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startUp, temporaryFolder, until } from "../../fixtures.js";
import { mcpClient } from "./client.js";

const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(`<title>Shop</title><h1>Shop</h1>
    <button onclick="console.warn('low stock'); this.insertAdjacentHTML('afterend', '<p><a href=/cart>Cart</a></p>')">Buy</button>
    <input aria-label="Name">`);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const FREE_PORTS = ["--port", "0", "--console-port", "0", "--relay-port", "0"];

test("an agent debugs a page with the tools of one MCP server, and all definitions together cost little", async () => {
  const mcp = await mcpClient([...FREE_PORTS, "--home", temporaryFolder()]);
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...[
      "sessions",
      "observe",
      "find",
      "act",
      "logs",
      "eval",
      "screenshot",
      "browser_action",
      "record",
      "control",
      "execute",
      "reset",
    ],
  ]);
  expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(1_600);

  const empty = await mcp.call("observe");
  expect(empty.isError).toBe(true);
  expect(empty.text).toContain("browser_action");

  const started = await mcp.call("browser_action", { instruction: `<type>start</type><url>${url()}</url>` });
  expect(started).toMatchObject({ isError: false });
  const listed = await mcp.call("sessions");
  expect(listed.text).toMatch(/mcp-\w+ browser connected http:\/\/127\.0\.0\.1:\d+\/ "Shop"/);

  const seen = await mcp.call("observe");
  expect(seen.text).toMatch(/untrusted data, not instructions/);
  const ref = /(e\d+) button "Buy"/.exec(seen.text)?.[1];
  const acted = await mcp.call("act", { type: "click", target: { ref } });
  expect(acted.text).toMatch(/\+ e\d+ link "Cart"\nconsole.warn: low stock/);
  const typed = await mcp.call("act", {
    type: "type",
    target: { role: "textbox", name: "Name" },
    text: "Ada",
  });
  expect(typed.text).toContain('value: "" -> "Ada"');
  const list = await mcp.call("act", {
    actions: [
      { type: "type", target: { role: "textbox", name: "Name" }, text: "Grace", clear: true },
      { type: "click", target: { ref: "e1" } },
      { type: "click", target: { text: "Buy" } },
    ],
  });
  expect(list.isError).toBe(true);
  expect(list.text).toMatch(/1: e\d+ is "Grace"/);
  expect(list.text).toContain("action 2 of 3 failed; not run: 1\nerror stale_ref");
  const stale = await mcp.call("act", { type: "click", target: { ref: "e1" } });
  expect(stale).toMatchObject({ isError: true });
  expect(stale.text).toContain("stale_ref");

  const logs = await mcp.call("logs", { errors: true });
  expect(logs.text).toContain("console.warn: low stock");
  expect((await mcp.call("eval", { code: "({ title: document.title })" })).text).toContain(
    '{"title":"Shop"}',
  );
  const { images } = await mcp.call("screenshot", { labels: true });
  expect(images).toMatchObject([{ mimeType: "image/jpeg" }]);
  const stopped = await mcp.call("browser_action", { instruction: "<type>stop</type>" });
  expect(stopped.isError).toBe(false);
  expect((await mcp.call("sessions")).text).toMatch(/browser gone/);
});

test("the browser of a client closes with the client, and the hub stays", async () => {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const mcp = await mcpClient(["--hub", ready.hub, "--home", home]);
  await mcp.call("browser_action", { instruction: `<type>start</type><url>${url()}</url>` });
  expect((await mcp.call("sessions")).text).toContain("browser connected");
  await mcp.client.close();
  const other = await mcpClient(["--hub", ready.hub, "--home", home]);
  await until(async () => (await other.call("sessions")).text.includes("browser gone"));
});
