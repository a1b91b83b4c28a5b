import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { launchChromium } from "../../support/chrome/chromium.js";
import { openFromDisk, saveSharedFile } from "./shared-file.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const section = (page: Page): Locator => page.getByRole("region", { name: "Before and after" });
const moment = (page: Page, title: string): FrameLocator =>
  section(page).frameLocator(`iframe[title="${title}"]`);

/** Selects the newest click on a button. */
async function select(page: Page, button: string): Promise<void> {
  // Only the rows that are in view exist.
  await page.getByRole("searchbox", { name: "Filter records" }).fill(`"${button}"`);
  await page.getByRole("row", { name: /Corner shop connected/ }).waitFor({ state: "detached" });
  const row = page.getByRole("row", { name: new RegExp(`click "${button}" by`) });
  await row.last().click();
}

/** Both pictures say what they should, and a mark is around the line that changed. */
async function expectMarked(page: Page): Promise<void> {
  await moment(page, "Before").getByText("1 × Green tea").waitFor();
  const line = moment(page, "After").getByText("2 × Green tea");
  await line.waitFor();
  await until(async () => {
    const text = await line.boundingBox();
    const marks = await section(page).getByRole("figure").last().getByTitle("This part changed").all();
    const boxes = await Promise.all(marks.map((mark) => mark.boundingBox()));
    return boxes.some(
      (box) =>
        text !== null &&
        box !== null &&
        // A mark is drawn around its part, and not around the whole page.
        box.height < 10 * text.height &&
        box.x <= text.x + 2 &&
        box.y <= text.y + 2 &&
        box.y + box.height >= text.y + text.height - 2,
    );
  });
}

describe("an app with the SDK before and after a command", () => {
  it("is drawn from its DOM with what changed marked: live, in the recording and in a shared file", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, ready, token } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.frameLocator('iframe[title="What the page shows"]').getByText("1 × Green tea").waitFor();
    await dashboard.act({ type: "click", target: { text: "Add Green tea" } });
    await select(page, "Add Green tea");
    await expectMarked(page);
    await page.getByRole("button", { name: "Stop recording" }).click();

    const headers = { authorization: `Bearer ${token}` };
    const { recordings } = (await (await fetch(`${ready.hub}/v1/recordings`, { headers })).json()) as {
      recordings: { id: string }[];
    };
    await page.goto(`${ready.hub}/#recording=${recordings[0]?.id}`);
    await select(page, "Add Green tea");
    await expectMarked(page);
    expect(dashboard.problems).toEqual([]);

    await page.getByRole("button", { name: "Share as a file" }).click();
    const { page: file, problems } = await openFromDisk(browser, await saveSharedFile(dashboard));
    await select(file, "Add Green tea");
    await expectMarked(file);
    expect(problems).toEqual([]);
  });

  it("says that nothing changed, and has no pictures of commands from before somebody looked", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await page.frameLocator('iframe[title="What the page shows"]').getByText("1 × Green tea").waitFor();
    await page.getByRole("row", { name: /click "Add Green tea" by/ }).click();
    await page.getByRole("region", { name: "Result" }).waitFor();
    expect(await section(page).count()).toBe(0);
    await dashboard.act({ type: "hover", target: { text: "Apply" } });
    await page.getByRole("row", { name: /hover "Apply"/ }).click();
    await section(page).getByText("Nothing changed that a replay shows.").waitFor();
    await moment(page, "Before and after").getByText("1 × Green tea").waitFor();
    expect(await section(page).getByTitle("This part changed").count()).toBe(0);
  });
});
