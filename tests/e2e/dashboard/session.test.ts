import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const row = (page: Page, name: RegExp) => page.getByRole("row", { name });
const details = (page: Page) => page.getByRole("region", { name: "Details" });

describe("a session in the dashboard", () => {
  it("lists what a command caused below it, folds it, and shows why something happened", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, problems } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    const click = row(page, /click "Apply" by http:hunter/);
    await click.getByText("1 request, 2 errors").waitFor();
    await row(page, /console.info basket: bread 1/).waitFor();
    const failure = row(page, /TypeError: Cannot read properties/);
    expect(await failure.getAttribute("aria-level")).toBe("2");
    await failure.click();
    await details(page).getByText("shop.js:55:52", { exact: true }).waitFor();
    await details(page)
      .getByRole("link", { name: /click "Apply"/ })
      .click();
    await details(page)
      .getByText(/^It caused \d+ records: 1 request, 2 errors\./)
      .waitFor();
    await details(page).getByText("error: unhandled rejection: TypeError").waitFor();
    await page.getByRole("treegrid").focus();
    await page.keyboard.press("ArrowLeft");
    await failure.waitFor({ state: "detached" });
    expect(await click.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    await failure.waitFor();
    await page.getByRole("button", { name: "Show only these" }).click();
    await row(page, /basket: bread 1/).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /caused by #/ }).click();
    await row(page, /basket: bread 1/).waitFor();
    expect(problems).toEqual([]);
  });

  it("shows requests, values and states whole", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await row(page, /GET http.*coupons\/ 404/).click();
    await details(page).getByText("404 Not Found", { exact: true }).waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await details(page).getByRole("button", { name: "Copy as cURL" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^curl -X 'GET' 'http:.*\/demo\/api\/coupons\/'$/,
    );
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the requests as HAR" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("demo.har");
    const { log } = JSON.parse(readFileSync(await saved.path(), "utf8"));
    expect(log.entries).toEqual([
      expect.objectContaining({
        request: expect.objectContaining({ url: expect.stringMatching(/coupons\/$/) }),
        response: expect.objectContaining({ status: 404 }),
      }),
    ]);
    await row(page, /low stock/).click();
    await details(page).getByText("sizes:").click();
    await details(page)
      .getByText(/1:\s*\{1\}/)
      .click();
    await details(page).getByText('deep: "value"', { exact: true }).waitFor();
    await row(page, /"bread":1,"tea":1/).click();
    await details(page).getByText("lines.tea: 1").waitFor();
    await details(page).getByText("total: 3.2 → 7.7").waitFor();
  });

  it("filters by text, level and kind, in an address that can be shared", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, token, ready, open } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await row(page, /basket: bread 1/).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("basket: tea");
    await row(page, /basket: bread 1/).waitFor({ state: "detached" });
    await row(page, /basket: tea 1/).waitFor();
    await page.getByRole("searchbox", { name: "Filter records" }).fill("");
    await page.getByLabel("Least level").selectOption("errors only");
    await row(page, /basket: tea 1/).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Network" }).click();
    await row(page, /404/).waitFor({ state: "detached" });
    await row(page, /TypeError/).click();
    await page.getByText(/1 of \d+ records/).waitFor();
    const { page: other } = await open(`${ready.hub}/#token=${token}&${new URL(page.url()).hash.slice(1)}`);
    await other.getByText(/1 of \d+ records/).waitFor();
    await details(other).getByText("shop.js:55:52", { exact: true }).waitFor();
    expect(other.url()).toBe(page.url());
    await page.getByLabel("Least level").selectOption("all levels");
    await page.getByRole("searchbox", { name: "Filter records" }).fill("no such thing");
    await page.getByText("No record matches.").waitFor();
  });

  it("follows new records at the end, and stays put when one reads further up", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    const demo = await playDemo(dashboard);
    const log = (from: number, count: number): Promise<void> =>
      demo.evaluate(
        ([start, length]) => {
          for (let i = 0; i < (length as number); i++) console.log(`line ${(start as number) + i}`);
        },
        [from, count],
      );
    await page.getByRole("link", { name: "Corner shop" }).click();
    await log(0, 200);
    await row(page, /line 199$/).waitFor();
    const list = page.getByRole("treegrid");
    await list.evaluate((element) => element.scrollBy(0, -2_000));
    await page.getByRole("button", { name: "Follow the newest" }).waitFor();
    const top = (): Promise<string> =>
      list.evaluate((element) => {
        const { top: edge } = element.getBoundingClientRect();
        const rows = [...element.querySelectorAll(".row")];
        return rows.find((each) => each.getBoundingClientRect().top >= edge)?.textContent ?? "";
      });
    await until(async () => /line \d+/.test(await top()));
    const before = await top();
    await log(200, 200);
    await until(async () => Number(await list.getAttribute("aria-rowcount")) > 400);
    expect(await top()).toBe(before);
    await page.getByRole("button", { name: "Follow the newest" }).click();
    await row(page, /line 399$/).waitFor();
    await log(400, 5);
    await row(page, /line 404$/).waitFor();
  });

  it("shows all records of a session that is recorded, also those that left the hub's window", async () => {
    const dashboard = await dashboardStage(browser, ["--demo", "--record"]);
    const { page } = dashboard;
    const demo = await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).first().click();
    await row(page, /TypeError/)
      .first()
      .waitFor();
    // Slower than the limit of what a page may send.
    for (let part = 0; part < 12; part++)
      await demo.evaluate(async (start) => {
        for (let i = 0; i < 500; i++) console.log(`line ${start + i}`);
        await new Promise((resolve) => setTimeout(resolve, 400));
      }, part * 500);
    await row(page, /line 5999$/).waitFor();
    await page.getByRole("treegrid").focus();
    await page.keyboard.press("Home");
    await row(page, /Corner shop connected/).click();
    await page.getByRole("article", { name: /^Record \d+/ }).waitFor();
    const rows = Number(await page.getByRole("treegrid").getAttribute("aria-rowcount"));
    expect(rows).toBeGreaterThan(6_000);
  });

  it("goes to a moment on the time axis, and narrows to a stretch of it", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    const axis = page.getByRole("slider", { name: "Time" });
    await until(async () => /errors 2/.test((await axis.getAttribute("aria-valuetext")) ?? ""));
    await axis.focus();
    await page.keyboard.press("Home");
    await page.locator('.row[aria-selected="true"]').waitFor();
    const { x, y, width, height } = (await axis.boundingBox()) as NonNullable<
      Awaited<ReturnType<typeof axis.boundingBox>>
    >;
    await page.mouse.move(x + 1, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 10, y + height / 2);
    await page.mouse.up();
    await row(page, /TypeError/).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^\d\d:\d\d:\d\d to/ }).click();
    await row(page, /TypeError/).waitFor();
  });

  it("resizes and collapses its panes, keeps their widths, and has tabs where it is narrow", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    const records = page.getByRole("region", { name: "Records" });
    const widthOf = async (): Promise<number> => (await records.boundingBox())?.width ?? 0;
    const before = await widthOf();
    await page.getByRole("separator", { name: "Width of Records" }).focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    await until(async () => (await widthOf()) > before + 50);
    const wide = await widthOf();
    await page.reload();
    await records.waitFor();
    await page.getByRole("region", { name: "Page" }).waitFor();
    expect(Math.abs((await widthOf()) - wide)).toBeLessThan(3);
    await page.getByRole("button", { name: "Collapse Details" }).click();
    await until(async () => (await widthOf()) > wide + 100);
    await page.getByRole("button", { name: "Expand Details" }).click();
    await page.setViewportSize({ width: 420, height: 700 });
    await page.getByRole("tab", { name: "Records", selected: true }).waitFor();
    await row(page, /TypeError/).click();
    await page.getByRole("tab", { name: "Details", selected: true }).waitFor();
    await page.getByText("shop.js:55:52", { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
  });

  it("finds sessions, records and actions with the palette, and lists its keys", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("corner");
    await page.keyboard.press("Enter");
    await row(page, /basket: bread 1/).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("TypeError");
    await page.keyboard.press("Enter");
    await row(page, /basket: bread 1/).waitFor({ state: "detached" });
    await row(page, /TypeError/).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
  });
});
