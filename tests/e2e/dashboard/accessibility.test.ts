import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../support/chrome/chromium.js";
import { looksAt, violations } from "../chat-panel/axe.js";
import { stage } from "../hub/stage.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe("the dashboard", () => {
  it("has nothing that axe objects to in any view, in both themes, narrow and wide", async () => {
    const dashboard = await dashboardStage(browser, ["--demo", "--record"]);
    const { page } = dashboard;
    const check = async (view: string): Promise<void> => {
      for (const [colorScheme, width] of looksAt(420, 1_280)) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        expect((await violations(page)).join("\n"), `${view}, ${colorScheme}, ${width} pixels`).toBe("");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${view} at ${width} pixels`).toBeLessThanOrEqual(width);
      }
    };
    await page.getByText("Nothing is connected yet").waitFor();
    await check("empty");
    await playDemo(dashboard);
    await page.getByText("2 errors").waitFor();
    await page.getByRole("table").waitFor();
    await check("home");
    await page.getByRole("link", { name: "Corner shop" }).click();
    for (const name of [/TypeError/, /GET http.*404/, /low stock/, /"tea":1/, /click "Apply"/]) {
      await page.getByRole("row", { name }).last().click();
      await page.getByRole("article", { name: /^Record \d+/ }).waitFor();
      await check(String(name));
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find" }).waitFor();
    await check("palette");
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox", { name: "Filter records" }).fill("no such thing");
    await page.getByText("No record matches.").waitFor();
    await check("no match");
    await dashboard.kill();
    await page.getByText(/not reachable since/).waitFor();
    await check("disconnected");
  });

  it("has nothing that axe objects to where it asks for the token", async () => {
    const { ready, open } = await stage(browser, []);
    const { page } = await open(ready.hub);
    await page.getByLabel("Token or address").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
