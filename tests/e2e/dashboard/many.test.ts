import { expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chromium.js";
import { dashboardStage, playDemo } from "./stage.js";

const DASHBOARDS = 6;

it("keeps six dashboards of one browser live at once, and goes on when the first is closed", async () => {
  const browser = await sharedChromium();
  try {
    const dashboard = await dashboardStage(browser);
    const { page, ready, token, open } = dashboard;
    const demo = await playDemo(dashboard);
    await page.goto(`${ready.hub}/#session=demo`);
    const pages = [page];
    while (pages.length < DASHBOARDS) {
      const { page: next } = await open(`${ready.hub}/#token=${token}`);
      await next.getByRole("link", { name: "Corner shop" }).click();
      pages.push(next);
    }
    const say = async (text: string): Promise<void> => {
      await demo.evaluate((said) => console.log(said), text);
      for (const each of pages) await each.getByRole("row", { name: new RegExp(text) }).waitFor();
    };
    await say("seen by all");
    // The first one holds the connection that all share.
    await pages.shift()?.close();
    await until(async () => {
      await demo.evaluate(() => console.log("again"));
      return (await pages[0]?.getByRole("row", { name: /again/ }).count()) ?? 0;
    });
    await say("seen by the rest");
    for (const each of pages) expect(await each.getByText("live", { exact: true }).count()).toBe(1);
  } finally {
    await closePages();
  }
});
