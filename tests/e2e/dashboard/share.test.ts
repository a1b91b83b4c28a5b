import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { violations } from "../chat-panel/axe.js";
import { openFromDisk, saveSharedFile } from "./shared-file.js";
import { dashboardStage, playDemo } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const row = (page: Page, name: RegExp) => page.getByRole("row", { name });

describe("a shared file", () => {
  it("lists what is in it before it is saved, and opens from disk without a server", async () => {
    const dashboard = await dashboardStage(browser);
    const { page, kill } = dashboard;
    const demo = await playDemo(dashboard);
    await demo.evaluate(() => {
      console.log("login password=hunter2 for </script><script>window.hacked=1</script><!--<script>");
      console.log({ user: "ada", apiToken: "s3cr3t-value" });
    });
    await page.getByRole("link", { name: "Corner shop" }).click();
    await row(page, /apiToken/).waitFor();
    await page.getByRole("button", { name: "Share as a file" }).click();
    const dialog = page.getByRole("dialog", { name: "Share as a file" });
    await dialog.getByText(/around 1 place of stacks/).waitFor();
    await dialog.getByText(/^[4-8] values that are secret by their name or form$/).waitFor();
    const file = await saveSharedFile(dashboard);
    await kill();

    const text = readFileSync(file, "utf8");
    for (const secret of ["hunter2", "s3cr3t-value"]) expect(text).not.toContain(secret);
    expect(text).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/=]+'( 'sha256-[\w+/=]+')?;/,
    );

    const { page: shared, requested, problems } = await openFromDisk(browser, file);
    await shared.getByRole("button", { name: "What is in this file" }).click();
    await shared.getByRole("dialog").getByText("Corner shop", { exact: true }).waitFor();
    await shared
      .getByRole("dialog")
      .getByText(/around 1 place of stacks/)
      .waitFor();
    await shared.keyboard.press("Escape");
    await row(shared, /TypeError/)
      .first()
      .click();
    await shared.getByRole("region", { name: "Details" }).getByText("coupon.discount.percent").waitFor();
    await shared.getByRole("searchbox", { name: "Filter records" }).fill("window.hacked");
    await row(shared, /login password=•••/).waitFor();
    expect(await shared.evaluate(() => "hacked" in window)).toBe(false);
    // A script that is not in the file's own policy does not run.
    await shared.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 1";
      document.body.append(script);
    });
    expect(await shared.evaluate(() => "hacked" in window)).toBe(false);
    expect(requested).toEqual([pathToFileURL(file).href]);
    expect(problems.filter((problem) => !/inline script/.test(problem))).toEqual([]);
  });

  it("has nothing that axe objects to, in both themes, narrow and wide", async () => {
    const dashboard = await dashboardStage(browser);
    await playDemo(dashboard);
    await dashboard.page.getByRole("link", { name: "Corner shop" }).click();
    await row(dashboard.page, /TypeError/)
      .first()
      .waitFor();
    const { page } = await openFromDisk(browser, await saveSharedFile(dashboard));
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [420, 1_280]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        expect((await violations(page)).join("\n"), `${colorScheme}, ${width} pixels`).toBe("");
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await page.getByRole("button", { name: "What is in this file" }).click();
        expect((await violations(page)).join("\n"), `contents, ${colorScheme}, ${width} pixels`).toBe("");
        await page.keyboard.press("Escape");
      }
  });

  it("holds only the stretch of time that is selected", async () => {
    const dashboard = await dashboardStage(browser);
    const { page } = dashboard;
    const demo = await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await row(page, /TypeError/)
      .first()
      .waitFor();
    await demo.waitForTimeout(300);
    const from = Date.now();
    await demo.evaluate(() => console.log("only this"));
    await row(page, /only this/).waitFor();
    await page.goto(`${page.url()}&from=${from}&to=${from + 600_000}`);
    await row(page, /TypeError/)
      .first()
      .waitFor({ state: "detached" });
    const { page: shared } = await openFromDisk(browser, await saveSharedFile(dashboard));
    await row(shared, /only this/).waitFor();
    expect(await row(shared, /TypeError/).count()).toBe(0);
    await shared.getByRole("button", { name: "What is in this file" }).click();
    await shared.getByText(/a part of it/).waitFor();
  });

  it("is written by the command line, from a hub and from disk, with the pictures of the recording", async () => {
    const dashboard = await dashboardStage(browser, ["--demo", "--record"]);
    const { home, page, kill } = dashboard;
    await playDemo(dashboard);
    await page.getByRole("link", { name: "Corner shop" }).click();
    await row(page, /TypeError/)
      .first()
      .waitFor();
    const sessions = join(home, "debug/sessions");
    await until(() =>
      readdirSync(sessions).some((id) =>
        /TypeError/.test(readFileSync(join(sessions, id, "events.jsonl"), "utf8")),
      ),
    );
    const [id = ""] = readdirSync(sessions);
    mkdirSync(join(sessions, id, "pictures"), { recursive: true });
    const picture = await page.screenshot({ type: "jpeg", clip: { x: 0, y: 0, width: 8, height: 8 } });
    writeFileSync(join(sessions, id, "pictures", `${Date.now()}.jpg`), picture);
    const out = join(home, "shared.html");
    const listed = await runCli(["share", "demo", "--list", "--json", "--home", home]);
    expect(JSON.parse(listed.stdout).contents).toMatchObject({ name: "Corner shop", kind: "app", files: 0 });
    await kill();
    const written = await runCli(["share", id.slice(-4), "--out", out, "--home", home]);
    expect(written.stdout).toMatch(/pictures\s+1; what they show is not masked/);
    const { page: shared, problems } = await openFromDisk(browser, out);
    await row(shared, /TypeError/)
      .first()
      .waitFor();
    const shown = shared.getByRole("region", { name: "Page" }).getByRole("img");
    await until(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth === 8));
    expect(problems).toEqual([]);
    expect((await runCli(["share", "nothing-like-that", "--home", home])).stderr).toMatch(
      /no session and no recording "nothing-like-that"; debug-bridge sessions/,
    );
  });
});
