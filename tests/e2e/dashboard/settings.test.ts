import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { violations } from "../chat-panel/axe.js";
import { stage } from "../hub/stage.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("the settings", () => {
  it("show what is shared, who may act and which hubs and browsers there are; hold and release a lease", async () => {
    const dashboard = await dashboardStage(browser, [
      "--demo",
      "--browsers",
      "1",
      "--browser-label",
      "size=small",
    ]);
    const { page, ready, token, home, agent } = dashboard;
    await playDemo(dashboard);
    const { ready: second } = await stage(browser, [], home);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("The extension is not connected, so no tab of your Chrome is shared.").waitFor();
    await page.getByText("Change it in the popup of the extension.").waitFor();
    const row = page.getByRole("row", { name: /Corner shop/ });
    await row.getByText("free: any client may act").waitFor();
    await row.getByRole("button", { name: "Hold for a minute" }).click();
    await row.getByText(/^dashboard, until \d\d:\d\d:\d\d$/).waitFor();
    const other = await agent("demo");
    const refused = await other.command({ type: "click", target: { text: "Add Green tea" } });
    expect(refused).toMatchObject({ success: false, error: "lease_held" });
    await row.getByRole("button", { name: "Release" }).click();
    await row.getByText("free: any client may act").waitFor();
    await page.getByRole("row", { name: new RegExp(`${ready.hub} this one`) }).waitFor();
    await page.getByRole("row", { name: new RegExp(second.hub) }).waitFor();
    const offered = page.getByRole("row", { name: /size=small/ });
    await offered.getByText("0 of 1").waitFor();
    const started = await fetch(`${ready.hub}/v1/browsers`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: "{}",
    });
    expect(started.status).toBe(201);
    await offered.getByText("1 of 1").waitFor();
    await offered.getByText(/until \d\d:\d\d:\d\d/).waitFor();
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [420, 1_280]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        expect((await violations(page)).join("\n"), `${colorScheme}, ${width} pixels`).toBe("");
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    // The address leads back here.
    await page.reload();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });
});
