import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stage } from "../e2e/hub/stage.js";
import { servePublished } from "../e2e/published-sdk/stage.js";
import { CLI, start } from "../fixtures.js";
import { closePages, sharedChromium } from "../support/chrome/chromium.js";
import { installedClient } from "../support/hub/installed-client.js";

const BODY = `<button onclick="console.error('card declined')">Pay</button>`;

let browser: Browser;
let inspector: string;
beforeAll(async () => {
  inspector = join(await installedClient("@modelcontextprotocol/inspector", "0.15.0"), "mcp-inspector");
  browser = await sharedChromium();
});
afterAll(closePages);

/** What the CLI inspector prints for one request to `debug-bridge mcp`. */
async function inspect(server: readonly string[], ...request: string[]): Promise<string> {
  const words = ["--cli", process.execPath, CLI, "mcp", ...server, "--method", ...request];
  const { stdout, stderr } = await start(inspector, words).finished;
  return stdout + stderr;
}

it("the CLI inspector lists, observes, acts and reads the logs, and reports when the hub is dead", async () => {
  const hub = await stage(browser);
  await hub.open(await servePublished(BODY, hub.ready.hub));
  await (await hub.agent("published")).next("ui_tree");
  const server = ["--home", hub.home, "--hub", hub.ready.hub];
  const call = (tool: string, ...args: string[]): Promise<string> =>
    inspect(server, "tools/call", "--tool-name", tool, ...args.flatMap((arg) => ["--tool-arg", arg]));
  const listed = JSON.parse(await inspect(server, "tools/list")) as { tools: { name: string }[] };
  expect(listed.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["sessions", "observe", "act"]),
  );
  expect(await call("observe", "session=published")).toMatch(/e\d+ button .*Pay/);
  const clicked = await call("act", "session=published", "type=click", 'target={"text":"Pay"}');
  expect(clicked).toContain("card declined");
  expect(await call("logs", "session=published")).toContain("console.error: card declined");
  await hub.kill();
  expect(await call("observe", "session=published")).toMatch(/no hub answers|app_not_connected/);
});
