import { HubClient } from "@debug-bridge/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { launchChromium } from "../../support/chrome/chromium.js";
import { type HubProcess, startHubs } from "../../support/hub/hub-processes.js";
import { servePage } from "../hub/stage.js";
import { mcpClient } from "../mcp/client.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

const PAGE = `<!doctype html>SDK<button onclick="clicks++; console.log('click ' + clicks)">Save</button>
<script>var clicks = 0, said = 0;</script>`;

test("a page and an MCP server go on at the next hub, with each record and each act once", async () => {
  const [a, b] = (await startHubs(buses.address(), ["a", "b"])) as [HubProcess, HubProcess];
  const hubs = [a.ready.hub, b.ready.hub];
  const endpoints = hubs.map((hub) => `${hub.replace("http", "ws")}/debug`).join(" ");
  // The script may come from either: it is loaded before the hub dies.
  const url = await servePage(PAGE, b.ready.hub, `data-session="shop" data-url="${endpoints}"`);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  const mcp = await mcpClient(["--home", a.home, "--hub", hubs.join(",")]);
  await until(async () => !(await mcp.call("observe", { session: "shop" })).isError);
  const click = { session: "shop", type: "click", target: { text: "Save" } };
  const before = await mcp.call("act", click);
  expect([before.text, before.isError]).toEqual([expect.stringContaining("click 1"), false]);

  const sessionHub = async (): Promise<string | undefined> =>
    (await new HubClient({ hub: b.ready.hub, token: b.token }).sessions()).find(
      ({ id, connected }) => id === "shop" && connected,
    )?.hubName;
  expect(await sessionHub()).toMatch(/^a-/);
  await page.evaluate("for (let i = 0; i < 100; i++) console.log('number ' + ++said)");
  a.kill();
  await page.evaluate("for (let i = 0; i < 100; i++) console.log('number ' + ++said)");
  await until(async () => (await sessionHub())?.startsWith("b-"));
  await until(async () => !(await mcp.call("observe", { session: "shop" })).isError);
  const after = await mcp.call("act", click);
  expect([after.text, after.isError]).toEqual([expect.stringContaining("click 2"), false]);
  expect(await page.evaluate("clicks")).toBe(2);

  const reader = new HubClient({ hub: hubs, token: b.token });
  const lines = async (): Promise<string[]> =>
    (await reader.events("shop", 0, ["console"])).events.flatMap(
      ({ data }) => /(?:number|click) \d+/.exec(JSON.stringify(data))?.[0] ?? [],
    );
  await until(async () => (await lines()).includes("click 2"));
  const numbers = Array.from({ length: 200 }, (_, i) => `number ${i + 1}`);
  expect(await lines()).toEqual(["click 1", ...numbers, "click 2"]);
});

test("a page whose first hub does not run connects to the next one of its list", async () => {
  const [a, b] = (await startHubs(buses.address(), ["a", "b"])) as [HubProcess, HubProcess];
  const endpoints = [a, b].map(({ ready }) => `${ready.hub.replace("http", "ws")}/debug`).join(" ");
  a.kill();
  await a.finished;
  const url = await servePage(PAGE, b.ready.hub, `data-session="shop" data-url="${endpoints}"`);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  await (await browser.newPage()).goto(url);
  const hub = new HubClient({ hub: b.ready.hub, token: b.token });
  await until(async () => (await hub.sessions()).some(({ connected }) => connected));
});
