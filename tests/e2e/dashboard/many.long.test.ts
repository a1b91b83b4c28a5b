import { expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { servePage } from "../hub/stage.js";
import { dashboardStage, playDemo } from "./stage.js";

const DASHBOARDS = 6;

it("six dashboards of one browser stay live at once, including after the first is closed", async () => {
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

it("six dashboards of one browser that show six sessions stay live at once", async () => {
  const browser = await sharedChromium();
  try {
    const { page, ready, token, open } = await dashboardStage(browser, []);
    const shown = [];
    for (let number = 1; number <= DASHBOARDS; number++) {
      const url = await servePage(
        `<title>App ${number}</title>SDK`,
        ready.hub,
        `data-session="app-${number}"`,
      );
      const { page: app } = await open(url);
      const dashboard = number === 1 ? page : (await open(`${ready.hub}/#token=${token}`)).page;
      await dashboard.getByRole("link", { name: `App ${number}` }).click();
      await dashboard.getByRole("row", { name: /connected/ }).waitFor();
      shown.push({ app, dashboard });
    }
    for (const text of ["once", "again"])
      for (const { app, dashboard } of shown) {
        await app.evaluate((said) => console.log(said), text);
        await dashboard.getByRole("row", { name: new RegExp(`console.log ${text}`) }).waitFor();
      }
    // What is asked for still gets a connection.
    for (const { dashboard } of shown) {
      await dashboard.getByRole("row", { name: /console.log again/ }).click();
      await dashboard.getByRole("region", { name: "Details" }).getByText("again").first().waitFor();
    }
  } finally {
    await closePages();
  }
});
