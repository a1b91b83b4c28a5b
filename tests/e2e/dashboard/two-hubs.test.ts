import { HubClient } from "@debug-bridge/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { type HubProcess, startHubs } from "../../support/hub/hub-processes.js";
import { servePage } from "../hub/stage.js";

const buses = new TestBuses();
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([sharedChromium(), buses.start()]);
});
afterAll(async () => {
  await closePages();
  await buses.stop();
});

const PAGE = `<!doctype html><title>Shop</title>SDK<button onclick="console.log('clicked ' + ++clicks)">Save</button>
<script>var clicks = 0;</script>`;

test("the dashboard of one hub shows what happens on another one, live, and follows the page when that hub is killed", async () => {
  const [a, b] = (await startHubs(buses.address(), ["a", "b"])) as [HubProcess, HubProcess];
  const endpoints = [a, b].map(({ ready }) => `${ready.hub.replace("http", "ws")}/debug`).join(" ");
  const url = await servePage(PAGE, a.ready.hub, `data-session="shop" data-url="${endpoints}"`);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const app = await context.newPage();
  await app.goto(url);
  const agent = new HubClient({ hub: b.ready.hub, token: b.token, name: "hunter" });
  onTestFinished(() => agent.close());
  const hubOf = async (): Promise<string | undefined> =>
    (await agent.sessions()).find(({ id, connected }) => id === "shop" && connected)?.hubName;
  await until(async () => (await hubOf())?.startsWith("a-"));

  // A separate window: Chromium draws a tab behind another one late.
  const window = await browser.newContext();
  onTestFinished(() => window.close());
  const dashboard = await window.newPage();
  const problems: string[] = [];
  dashboard.on("pageerror", (error) => problems.push(error.message));
  await dashboard.goto(`${b.ready.hub}/#token=${b.token}`);
  await dashboard.getByRole("link", { name: /Shop/ }).first().click();
  const row = (name: RegExp) => dashboard.getByRole("row", { name });

  const click = { type: "click", target: { text: "Save" } } as const;
  expect(await agent.command("shop", click)).toMatchObject({ success: true });
  await row(/click "Save".*hunter/).waitFor();
  await row(/clicked 1/).click();
  await dashboard.getByRole("article", { name: /^Record \d+/ }).waitFor();

  a.kill();
  await until(async () => (await hubOf())?.startsWith("b-"));
  await app.evaluate(() => console.warn("after the kill"));
  await row(/after the kill/).waitFor();
  expect(await row(/clicked 1/).count()).toBe(1);
  expect(problems).toEqual([]);
});
