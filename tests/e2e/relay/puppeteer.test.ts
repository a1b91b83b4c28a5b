import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, HTTPRequest, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "./stage.js";

let stage: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stage = await Stage.start();
  browser = await stage.puppeteer();
  page = (await browser.pages())[0] as Page;
});
afterEach(async () => {
  for (const other of await browser.pages()) if (other !== page) await other.close();
  await page.goto(stage.site.url("/"));
});
afterAll(() => stage?.close());

const text = (selector: string): Promise<string | null> => page.$eval(selector, (node) => node.textContent);

describe("Puppeteer on a tab that was open before the relay", () => {
  it("[REL-003] evaluates, types, clicks and waits for what appears", async () => {
    expect(await page.evaluate(() => 6 * 7)).toBe(42);
    expect(await page.title()).toBe("Home");
    await page.type("#who", "Ann");
    await page.click("#greet");
    expect(await text("#out")).toBe("Hello Ann");
    await page.locator("#count").click();
    expect(await text("#count")).toBe("Clicked 1");
    await page.evaluate(() =>
      setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<b id=late>late</b>"), 50),
    );
    await page.waitForSelector("#late");
  });

  it("takes screenshots and accessibility snapshots", async () => {
    const png = Buffer.from(await page.screenshot());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(JSON.stringify(await page.accessibility.snapshot())).toContain("Greet");
  });

  it("sees frames, including those of another site, and works in them", async () => {
    await page.goto(stage.site.url("/frames"));
    const far = await page.waitForFrame((frame) => frame.name() === "far");
    expect(await far.$eval("#text", (node) => node.textContent)).toBe("Inside localhost");
    await far.type("#field", "x");
    await far.click("#press");
    expect(await far.$eval("#press", (node) => node.textContent)).toBe("Pressed");
    expect(page.frames().length).toBe(3);
  });

  it("opens and closes tabs, and follows popups", async () => {
    const other = await browser.newPage();
    await other.goto(stage.site.url("/second"));
    expect(await other.title()).toBe("Second");
    await other.close();
    const popup = new Promise<Page | null>((resolve) => page.once("popup", resolve));
    await page.click("a[href='/popup']");
    const opened = (await popup) as Page;
    await opened.waitForSelector("h1");
    expect(await opened.title()).toBe("Popup");
  });

  it("navigates, including back and forward", async () => {
    const response = await page.goto(stage.site.url("/second"));
    expect(response?.status()).toBe(200);
    await Promise.all([page.waitForNavigation(), page.click("a")]);
    expect(await text("h1")).toBe("Home");
    await page.goBack();
    expect(await text("h1")).toBe("Second");
  });

  it("answers dialogs", async () => {
    await page.goto(stage.site.url("/dialogs"));
    page.once("dialog", (dialog) => void dialog.accept("Bob"));
    await page.click("#ask");
    expect(await text("#out")).toBe("Bob");
  });

  it("uploads and downloads files", async () => {
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow",
      downloadPath: join(stage.person.profile, "wanted"),
      eventsEnabled: true,
    });
    const complete = new Promise<void>((resolve) =>
      session.on("Browser.downloadProgress", ({ state }) => {
        if (state === "completed") resolve();
      }),
    );
    await page.click("a[download]");
    await complete;
    expect(readFileSync(join(stage.person.profile, "wanted", "report.txt"), "utf8")).toBe("the report");
    await page.goto(stage.site.url("/upload"));
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("#file")]);
    await chooser.accept([join(stage.person.profile, "wanted", "report.txt")]);
    await until(async () => (await text("#out")) === "report.txt:the report");
  });

  it("intercepts requests", async () => {
    await page.setRequestInterception(true);
    const answer = (request: HTTPRequest): void => {
      if (request.url().includes("/json"))
        void request.respond({ contentType: "application/json", body: '{"made":"up"}' });
      else void request.continue();
    };
    page.on("request", answer);
    expect(await page.evaluate("fetch('/json').then((r) => r.json())")).toEqual({ made: "up" });
    page.off("request", answer);
    await page.setRequestInterception(false);
    expect(await page.evaluate("fetch('/json').then((r) => r.status)")).toBe(200);
  });
});
