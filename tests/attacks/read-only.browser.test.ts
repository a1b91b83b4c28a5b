import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Browser as Puppet, Page as PuppetPage } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadOnlyStage, readOnlyStage } from "./support/read-only-stage.js";
import type { State } from "./support/victim.js";

describe.each(["hub", "person"] as const)("read-only, set by the %s", (setBy) => {
  let on: ReadOnlyStage;
  let before: State;
  beforeAll(async () => {
    on = await readOnlyStage(setBy);
    before = await on.victim.state(on.stage.person.endpoint);
  });
  afterAll(() => on?.close());
  const unchanged = async (): Promise<void> =>
    expect(await on.victim.changes(on.stage.person.endpoint, before)).toEqual([]);

  describe("Playwright", () => {
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    beforeAll(async () => {
      browser = await on.stage.playwright();
      context = browser.contexts()[0] as BrowserContext;
      page = context.pages().find((each) => each.url() === on.victim.url) as Page;
    });

    it("reads the page, its elements and its frames, and takes screenshots", async () => {
      const text = page.locator("#text");
      expect(page.url()).toBe(on.victim.url);
      expect(await page.title()).toBe("Victim");
      expect(await page.content()).toContain('<p id="text"');
      expect(await text.textContent()).toBe("Hello there");
      expect(await text.innerText()).toBe("Hello there");
      expect(await text.innerHTML()).toBe("Hello <b>there</b>");
      expect(await text.getAttribute("data-kind")).toBe("note");
      expect(await page.locator("#name").inputValue()).toBe("Ann");
      expect(await text.isVisible()).toBe(true);
      expect(await page.locator("#dialog").isVisible()).toBe(false);
      expect(await page.locator("#agree").isChecked()).toBe(true);
      expect(await page.locator("li").count()).toBe(3);
      expect(await page.locator("li").allTextContents()).toEqual(["One", "Two", "Three"]);
      expect(await page.getByRole("heading", { name: "Account" }).textContent()).toBe("Account");
      expect(await page.locator("body").ariaSnapshot()).toContain('heading "Account"');
      expect((await text.boundingBox())?.width).toBeGreaterThan(10);
      expect((await page.screenshot()).subarray(1, 4).toString()).toBe("PNG");
      expect((await page.screenshot({ fullPage: true })).subarray(1, 4).toString()).toBe("PNG");
      expect(page.frames().map((frame) => frame.url())).toEqual([on.victim.url, `${on.victim.url}inner`]);
      expect(await page.frames()[1]?.title()).toBe("Inner");
      expect(await page.frameLocator("#frame").locator("#inside").innerText()).toBe("Inside");
      await unchanged();
    });

    it("is refused what acts, with the name of the setting", async () => {
      const acts: Record<string, () => Promise<unknown>> = {
        goto: () => page.goto("about:blank"),
        reload: () => page.reload(),
        bringToFront: () => page.bringToFront(),
        newPage: () => context.newPage(),
        cookies: () => context.cookies(),
        addCookies: () => context.addCookies([{ name: "a", value: "b", url: on.victim.url }]),
        clearCookies: () => context.clearCookies(),
        grantPermissions: () => context.grantPermissions(["geolocation"]),
        clearPermissions: () => context.clearPermissions(),
        addInitScript: () => page.addInitScript("window.planted = 1"),
        setExtraHTTPHeaders: () => page.setExtraHTTPHeaders({ a: "b" }),
        emulateMedia: () => page.emulateMedia({ colorScheme: "dark" }),
        setViewportSize: () => page.setViewportSize({ width: 300, height: 300 }),
        route: () => page.route("**/*", (route) => route.abort()),
        exposeFunction: () => page.exposeFunction("planted", () => 1),
        "mouse.click": () => page.mouse.click(1, 1),
        "mouse.move": () => page.mouse.move(5, 5),
        "mouse.wheel": () => page.mouse.wheel(0, 100),
        "keyboard.press": () => page.keyboard.press("Tab"),
        "keyboard.insertText": () => page.keyboard.insertText("x"),
      };
      await refuseAll(acts, on.setting);
      await unchanged();
    });

    it("cannot act on elements or run code in the page", async () => {
      const timeout = 1_500;
      const acts: Record<string, () => Promise<unknown>> = {
        click: () => page.locator("#send").click({ timeout }),
        fill: () => page.locator("#name").fill("Eve", { timeout }),
        check: () => page.locator("#agree").uncheck({ timeout }),
        focus: () => page.locator("#name").focus({ timeout }),
        selectText: () => page.locator("#text").selectText({ timeout }),
        dispatchEvent: () => page.locator("#send").dispatchEvent("click", {}, { timeout }),
        setContent: () => page.setContent("<p>planted", { timeout }),
        addStyleTag: () => page.addStyleTag({ content: "* { color: red }" }),
        addScriptTag: () => page.addScriptTag({ content: "document.title = 'planted'" }),
        evaluate: () => page.evaluate("document.title = 'planted'"),
        evaluateHandle: () => page.locator("#text").evaluate((element) => element.remove()),
        "screenshot with style": async () => {
          await page.screenshot({ style: "body { background: url(/planted) }" });
          throw new Error("it is taken without the style");
        },
      };
      const { "screenshot with style": styled, ...refused } = acts;
      await refuseAll(refused, on.setting);
      await expect(styled?.()).rejects.toThrow("without the style");
      expect(await page.locator("#text").innerText(), "reads still work").toBe("Hello there");
      await unchanged();
    });
  });

  describe("Puppeteer", () => {
    let browser: Puppet;
    let page: PuppetPage;
    beforeAll(async () => {
      browser = await on.stage.puppeteer();
      page = (await browser.pages()).find((each) => each.url() === on.victim.url) as PuppetPage;
    });

    it("reads the page, its elements and its frames, and takes screenshots", async () => {
      expect(page.url()).toBe(on.victim.url);
      expect(await page.title()).toBe("Victim");
      expect(await page.content()).toContain('<p id="text"');
      expect(await page.$eval("#text", (element) => element.textContent)).toBe("Hello there");
      expect(await page.$eval("#text", (element) => (element as HTMLElement).innerText)).toBe("Hello there");
      expect(await page.$eval("#text", (element) => element.getAttribute("data-kind"))).toBe("note");
      expect(await page.$eval("#name", (element) => (element as HTMLInputElement).value)).toBe("Ann");
      expect(await page.$$eval("li", (elements) => elements.length)).toBe(3);
      expect(await page.$$("li")).toHaveLength(3);
      const text = await page.$("#text");
      expect(await text?.isVisible()).toBe(true);
      expect(await text?.evaluate((element) => element.id)).toBe("text");
      expect(await (await text?.getProperty("textContent"))?.jsonValue()).toBe("Hello there");
      expect((await text?.boundingBox())?.width).toBeGreaterThan(10);
      expect(await page.evaluate(() => document.title)).toBe("Victim");
      const tree = await page.accessibility.snapshot();
      expect(tree?.children?.some(({ name }) => name === "Account")).toBe(true);
      expect(page.frames().map((frame) => frame.url())).toEqual([on.victim.url, `${on.victim.url}inner`]);
      expect(await page.frames()[1]?.title()).toBe("Inner");
      expect(await page.frames()[1]?.$eval("#inside", (element) => element.textContent)).toBe("Inside");
      expect(
        Buffer.from(await page.screenshot())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
      await unchanged();
    });

    it("is refused what acts, with the name of the setting", async () => {
      const acts: Record<string, () => Promise<unknown>> = {
        goto: () => page.goto("about:blank"),
        reload: () => page.reload(),
        bringToFront: () => page.bringToFront(),
        newPage: () => browser.newPage(),
        cookies: () => browser.cookies(),
        setCookie: () => browser.setCookie({ name: "a", value: "b", domain: "127.0.0.1" }),
        setBypassCSP: () => page.setBypassCSP(true),
        setCacheEnabled: () => page.setCacheEnabled(false),
        setUserAgent: () => page.setUserAgent({ userAgent: "x" }),
        setViewport: () => page.setViewport({ width: 300, height: 300 }),
        setOfflineMode: () => page.setOfflineMode(true),
        setGeolocation: () => page.setGeolocation({ latitude: 1, longitude: 1 }),
        setRequestInterception: () => page.setRequestInterception(true),
        evaluateOnNewDocument: () => page.evaluateOnNewDocument("window.planted = 1"),
        emulateTimezone: () => page.emulateTimezone("Asia/Tokyo"),
        "mouse.click": () => page.mouse.click(1, 1),
        "keyboard.press": () => page.keyboard.press("Tab"),
        close: () => page.close(),
      };
      await refuseAll(acts, on.setting);
      await unchanged();
    });
  });
});

async function refuseAll(acts: Record<string, () => Promise<unknown>>, setting: RegExp): Promise<void> {
  for (const [name, act] of Object.entries(acts)) await expect(act(), name).rejects.toThrow(setting);
}
