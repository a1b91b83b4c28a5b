import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { servePage, stage } from "../hub/stage.js";
import { mcpClient } from "../mcp/client.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

it("an agent that asks why over MCP learns how to keep a test of the failure", async () => {
  const { ready, home, open } = await stage(browser);
  await open(await servePage("SDK<button onclick='throw Error(`no more`)'>Buy</button>", ready.hub));
  const mcp = await mcpClient(["--home", home]);
  await until(async () => !(await mcp.call("observe", { session: "page" })).isError);
  await mcp.call("act", { session: "page", type: "click", target: { text: "Buy" } });
  const { text } = await mcp.call("logs", { session: "page", why: 0 });
  expect(text).toMatch(/no more/);
  expect(text.split("\n").at(-1)).toMatch(/For a test of it: record start/);
});
