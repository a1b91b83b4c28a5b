import { readFileSync } from "node:fs";
import { launch } from "puppeteer-core";
import { expect, onTestFinished, test } from "vitest";
import { startUp, until } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";
import { WireClient } from "../../support/hub/wire-client.js";
import { servePage } from "../hub/stage.js";

const PAGE = `<!doctype html><html><head>SDK</head><body><button onclick="console.log('clicked')">Go</button></body></html>`;

test("[ARC-052] settles by a timer in a tab in the background, where no frames run", async () => {
  const { ready } = await startUp();
  const url = await servePage(PAGE, ready.hub, 'data-session="behind"');
  // Not Playwright: it makes every tab believe that it is in front.
  const browser = await launch({ executablePath: CHROMIUM.executablePath, args: [...CHROMIUM.args] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  await (await browser.newPage()).bringToFront();
  await until(() => page.evaluate("document.visibilityState === 'hidden'"));
  const frames = page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => resolve("a frame ran"));
    setTimeout(() => resolve("no frame ran"), 500);
  })`);
  expect(await frames).toBe("no frame ran");

  const token = readFileSync(ready.tokenFile, "utf8").trim();
  const agent = await WireClient.connect(ready.hub, { role: "agent", sessionId: "behind", token });
  const command = { type: "click", target: { text: "Go" }, settle: { maxMs: 30_000 } };
  expect(await agent.command(command)).toMatchObject({
    success: true,
    receipt: { settled: true, console: [{ level: "log", text: "clicked" }] },
  });
  expect(await page.evaluate("document.visibilityState")).toBe("hidden");
});
