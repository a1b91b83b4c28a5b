import { HubClient, requireHub } from "@debug-bridge/client";
import { launch } from "puppeteer-core";
import { expect, onTestFinished, test } from "vitest";
import { startUp, temporaryFolder, until } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";
import { servePage } from "../hub/stage.js";

test("a page that the browser keeps for back and forward is not connected until it is shown again", async () => {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const hub = new HubClient({ hub: () => requireHub({ home }) });
  const apps = async (): Promise<number | undefined> => (await hub.sessions())[0]?.apps;
  const url = await servePage("<!doctype html>SDK<button>Go</button>", ready.hub, 'data-session="kept"');
  const other = await servePage("<!doctype html><title>Other</title>", ready.hub);
  // Not Playwright, which turns the cache off.
  const browser = await launch({ executablePath: CHROMIUM.executablePath, args: [...CHROMIUM.args] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  await until(async () => (await apps()) === 1);
  await page.evaluate("window.kept = true");
  await page.goto(other);
  await until(async () => (await apps()) === 0);
  await page.goBack();
  await until(async () => (await apps()) === 1);
  expect(await page.evaluate("window.kept")).toBe(true);
});
