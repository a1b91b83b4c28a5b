import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { breakCheckout } from "./shop.js";
import { dashboardStage } from "./stage.js";

const MAX_CLICKS = 8;

/** A person who knows only roles and names. */
function personAt(page: Page) {
  let clicks = 0;
  return {
    details: page.getByRole("region", { name: "Details" }),
    clicks: () => clicks,
    async click(role: "link" | "row" | "button", name: RegExp): Promise<void> {
      clicks++;
      await page.getByRole(role, { name }).first().click();
    },
  };
}

/** Finds the line that fails, the request that failed before it, and the edit that broke it. */
async function findWhy({ click, details }: ReturnType<typeof personAt>, failing: string): Promise<void> {
  await click("row", /error.*TypeError/);
  // The line that fails, in the code as it was written.
  await details.getByText("id.toFixed()").waitFor();
  await details.getByText(failing).first().waitFor();
  await click("row", /error POST/);
  await details.getByText("422 Unprocessable Entity").waitFor();
  await details.getByText(/\/api\/orders$/).waitFor();
  await click("row", /error.*TypeError/);
  const why = details.getByRole("region", { name: "Why" });
  await why.getByRole("link", { name: 'click "Place order" by http:hunter' }).waitFor();
  await why.getByText(/before it the same action \(#\d+\) ran without this error/).waitFor();
  await click("link", /^edit src\/checkout\.tsx: full reload$/);
  await details.getByRole("heading", { name: "edit src/checkout.tsx: full reload" }).waitFor();
  await details
    .getByRole("list", { name: "What it changed" })
    .getByText(/Order 4711/)
    .waitFor();
}

/** The edited file and the failing frame lead to the editor that the person chose. */
async function opensInEditor(page: Page, root: string, failing: string): Promise<void> {
  const link = page.getByRole("region", { name: "Details" }).getByRole("link", { name: /^Open in/ });
  expect(await link.first().getAttribute("href")).toBe(`vscode://file${root}/src/checkout.tsx`);
  const editing = page.url();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Open code in").selectOption("Zed");
  await page.goto(editing);
  const details = page.getByRole("region", { name: "Details" });
  for (const error of [/^POST/, /TypeError/]) {
    await page.getByRole("button", { name: "Next error" }).click();
    await details.getByRole("heading", { name: error }).waitFor();
  }

  await expect.poll(() => link.first().getAttribute("href")).toContain(`zed://file${root}/src/${failing}`);
}

it("lets a person find the request, the line and the edit that break the checkout in at most 8 clicks, and again in the file that they share", async () => {
  const browser = await sharedChromium();
  try {
    const dashboard = await dashboardStage(browser, [], "shop-react");
    const { page, home, kill } = dashboard;
    const { failing, root } = await breakCheckout(dashboard);
    const person = personAt(page);
    await page.getByText("2 errors").waitFor();
    await person.click("link", /Shop \(React\)/);
    await findWhy(person, failing);
    expect(person.clicks()).toBeLessThanOrEqual(MAX_CLICKS);
    await opensInEditor(page, root, failing);

    await page.getByRole("button", { name: "Share as a file" }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the file" }).click();
    const file = join(home, "why.html");
    await (await saving).saveAs(file);
    expect(readFileSync(file, "utf8").includes(root)).toBe(false);
    await kill();
    await page.context().close();
    const colleague = await (await browser.newContext()).newPage();
    await colleague.goto(pathToFileURL(file).href);
    const other = personAt(colleague);
    // A file opens at its beginning: the failing request is the first error.
    await other.click("button", /Next error/);
    await findWhy(other, failing);
    expect(await colleague.getByRole("link", { name: /^Open in/ }).count()).toBe(0);
    expect(other.clicks()).toBeLessThanOrEqual(MAX_CLICKS);
  } finally {
    await closePages();
  }
});
