import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { writeFixedRecordings } from "./fixed-recordings.js";
import { differentShare, fontFingerprint } from "./picture-compare.js";
import { dashboardStage } from "./stage.js";

/** Run with UPDATE_PICTURES=1 to store new ones; then look at each of them. */
const UPDATES = process.env.UPDATE_PICTURES === "1";
const FOLDER = fileURLToPath(new URL("./looks/", import.meta.url));
const FONTS = join(FOLDER, "fonts.json");
/** Share of the pixels that may differ: text is drawn a little differently on every machine. */
const TOLERANCE = 0.005;
const WIDTHS = [420, 1_280, 2_560];

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** A narrow page shows one pane at a time. */
async function showPane(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name }).or(page.getByRole("region", { name })).first().waitFor();
  const tab = page.getByRole("tab", { name });
  if ((await tab.count()) > 0) await tab.click();
}

/** The views, by name, and how to get there. */
const VIEWS: Readonly<Record<string, (page: Page, hub: string) => Promise<void>>> = {
  home: async (page, hub) => {
    await page.goto(`${hub}/#`);
    await page.getByRole("table").waitFor();
    // For both runs: their records are read after their names.
    await page.getByText("no errors").nth(1).waitFor();
    await page.getByText("done", { exact: true }).nth(1).waitFor();
  },
  session: async (page, hub) => {
    await page.goto(`${hub}/#recording=checkout&record=7`);
    await showPane(page, "Details");
    await page.getByRole("article", { name: "Record 7" }).waitFor();
    await page.getByRole("heading", { name: "Corner shop" }).waitFor();
  },
  request: async (page, hub) => {
    await page.goto(`${hub}/#recording=checkout&record=6`);
    await showPane(page, "Details");
    await page.getByRole("table", { name: "Timing" }).waitFor();
    await page.getByRole("heading", { name: "Corner shop" }).waitFor();
  },
  agent: async (page, hub) => {
    await page.goto(`${hub}/#recording=run-one`);
    await showPane(page, "Conversation");
    await page
      .getByText(/^In all/)
      .first()
      .waitFor({ state: "attached" });
    // It is there when the list of recordings is.
    await page.getByLabel("Compare with another run").waitFor();
  },
  compare: async (page, hub) => {
    await page.goto(`${hub}/#recording=run-one&with=run-two`);
    await page.getByText("2 steps are the same, 4 differ.").waitFor();
  },
  settings: async (page, hub) => {
    await page.goto(`${hub}/#settings`);
    await page.getByText("Hubs of this home").waitFor();
  },
  share: async (page, hub) => {
    await page.goto(`${hub}/#recording=checkout`);
    await page.getByRole("button", { name: "Share as a file" }).click();
    await page.getByRole("button", { name: "Save the file" }).waitFor();
    await page.getByRole("heading", { name: "Corner shop", includeHidden: true }).waitFor();
  },
};

it("looks as it did when its pictures were stored, in every view, width and theme", async (context) => {
  const { page, ready, home } = await dashboardStage(browser, []);
  writeFixedRecordings(home);
  const fonts = await fontFingerprint(page);
  const stored = existsSync(FONTS) ? readFileSync(FONTS, "utf8") : "";
  if (!UPDATES && stored !== fonts)
    return context.skip("the fonts of this machine are others than those of the stored pictures");
  mkdirSync(FOLDER, { recursive: true });
  if (UPDATES) writeFileSync(FONTS, fonts);
  const different: string[] = [];
  for (const [view, go] of Object.entries(VIEWS))
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 600 });
        await page.goto("about:blank");
        await go(page, ready.hub);
        await page.evaluate(steady);
        const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
        const file = join(FOLDER, `${view}-${width}-${colorScheme}.png`);
        if (UPDATES) writeFileSync(file, picture);
        else {
          const share = await differentShare(page, readFileSync(file), picture);
          if (share > TOLERANCE)
            different.push(`${file}: ${(100 * share).toFixed(2)} % of the pixels differ`);
        }
      }
  expect(different).toEqual([]);
});

/** In the page: puts fixed texts in the place of what differs from run to run. */
function steady(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? "";
    const fixed = text
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4000")
      .replaceAll(/\b\d+ (s|min|h|d) ago\b|^now$/g, "long ago")
      .replaceAll(/\/tmp\/\S+/g, "/home/ada/.debug-bridge")
      .replaceAll(/\d+\/\d+\/\d{4}, \d+:\d+:\d+ [AP]M/g, "1/1/2026, 12:00:00 AM");
    if (fixed !== text) node.nodeValue = fixed;
  }
  // The process of each hub.
  for (const cell of document.querySelectorAll("[aria-labelledby=hubs] td:last-child"))
    cell.textContent = "4711";
}
