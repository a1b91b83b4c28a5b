import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("the page beside its records", () => {
  it("shows what can be read and used in an app, and clicks what is clicked", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready, token } = dashboard;
    const demo = await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    const outline = page.getByRole("region", { name: "What can be read and used" });
    await outline.getByText("Total 7.70 €").waitFor();
    const line = outline.locator("div").filter({ hasText: 'button "Add Linden honey"' });
    await line.getByRole("button").click();
    await demo.getByText("1 × Linden honey").waitFor();
    await outline.getByText("1 × Linden honey").waitFor();
    await page.getByRole("row", { name: /click e\d+ by http:dashboard/ }).waitFor();
    // Looking is not an event of the session.
    const response = await fetch(`${ready.hub}/v1/sessions/demo/events?types=command,command_result`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { events } = (await response.json()) as {
      events: { data: { type?: string; requestType?: string } }[];
    };
    expect(events.map(({ data }) => data.requestType ?? data.type)).toEqual(Array(6).fill("click"));
    await demo.close();
    await page.getByText("The page is no longer connected.").waitFor();
  });

  it("shows a picture of a launched Chrome, taken again when something happens", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready, token } = dashboard;
    const action = async (instruction: string): Promise<void> => {
      const response = await fetch(`${ready.hub}/v1/browser-action`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ instruction, sessionId: "shown" }),
      });
      expect(await response.json()).toMatchObject({ success: true });
    };
    await action(`<type>start</type><url>${ready.demo}</url>`);
    // The page in it has the SDK, so it is a separate session, too.
    const card = page.getByRole("listitem").filter({ has: page.getByText("browser", { exact: true }) });
    await card.getByRole("img", { name: "What the page shows" }).waitFor();
    await card.getByRole("link").click();
    const picture = page.getByRole("img", { name: "What the page shows" });
    await picture.waitFor();
    const bytes = (): Promise<number> =>
      picture.evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      });
    expect(await bytes()).toBeGreaterThan(300);
    const before = await picture.getAttribute("src");
    await action("<type>click</type><targets>Add Rye bread</targets>");
    await until(async () => (await picture.getAttribute("src")) !== before);
    await action("<type>stop</type>");
  });
});
