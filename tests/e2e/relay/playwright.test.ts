import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "./stage.js";

let stage: Stage;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  stage = await Stage.start({ pages: ["/?cookie"] });
  browser = await stage.playwright();
  context = browser.contexts()[0] as BrowserContext;
  page = context.pages()[0] as Page;
});
afterEach(async () => {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto(stage.site.url("/"));
});
afterAll(() => stage?.close());

describe("Playwright on a tab that was open before the relay", () => {
  it("[REL-002, REL-036] evaluates, reads the title and the cookies of the person", async () => {
    expect(await page.evaluate(() => 6 * 7)).toBe(42);
    expect(await page.title()).toBe("Home");
    const names = (await context.cookies()).map(({ name }) => name);
    expect(names).toContain("seen");
  });

  it("fills, clicks, finds by role and waits for what appears", async () => {
    await page.getByLabel("Name").fill("Ann");
    await page.getByRole("button", { name: "Greet" }).click();
    expect(await page.locator("#out").textContent()).toBe("Hello Ann");
    await page.evaluate(() =>
      setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<b id=late>late</b>"), 50),
    );
    await page.waitForSelector("#late");
    await page.selectOption("#colour", "g");
    await page.check("#agree");
    expect(await page.evaluate("[colour.value, agree.checked]")).toEqual(["g", true]);
    expect(await page.locator("li").allTextContents()).toEqual(["One", "Two", "Three"]);
  });

  it("receives where a console line comes from, although the extension's script is in between", async () => {
    const other = await stage.direct();
    const direct = other.contexts()[0]?.pages()[0] as Page;
    const [through, beside] = await Promise.all([
      page.waitForEvent("console"),
      direct.waitForEvent("console"),
      page.click("#count"),
    ]);
    await other.close();
    // Without the relay it is our script that seems to print.
    expect(beside.location().url).toContain("debug-bridge://");
    expect(through.location()).toMatchObject({ url: stage.site.url("/"), lineNumber: 6 });
  });

  it("takes screenshots and accessibility snapshots", async () => {
    const png = await page.screenshot();
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(await page.locator("ul").ariaSnapshot()).toContain("listitem: Two");
  });

  it("[REL-039, REL-040] sees frames, including those of another site, and works in them", async () => {
    await page.goto(stage.site.url("/frames"));
    const far = await until(() => page.frames().find((frame) => frame.name() === "far"));
    const near = await until(() => page.frames().find((frame) => frame.name() === "near"));
    expect(await far.locator("#text").textContent()).toBe("Inside localhost");
    expect(await near.locator("#text").textContent()).toBe("Inside 127.0.0.1");
    await far.locator("#field").fill("x");
    await page.frameLocator("iframe[name=far]").locator("#press").click();
    expect(await far.locator("#press").textContent()).toBe("Pressed");
    expect(page.frames().length).toBe(3);
  });

  it("sees frames at any depth", async () => {
    await page.goto(stage.site.url("/nested"));
    const deep = await until(() => page.frames().find((frame) => frame.name() === "deep"));
    expect(await deep.locator("#text").textContent()).toBe("Inside 127.0.0.1");
  });

  it("[REL-024, REL-071] opens and closes tabs", async () => {
    const other = await context.newPage();
    await other.goto(stage.site.url("/second"));
    expect(await other.title()).toBe("Second");
    expect((await other.screenshot()).length).toBeGreaterThan(100);
    expect(context.pages()).toContain(other);
    await other.close();
    expect(context.pages()).not.toContain(other);
    expect((await stage.person.targets()).filter(({ url }) => url.endsWith("/second"))).toEqual([]);
  });

  it("follows popups", async () => {
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.click("text=Open popup")]);
    await popup.waitForLoadState();
    expect(await popup.title()).toBe("Popup");
    expect(await popup.opener()).toBe(page);
    const [second] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate("void window.open('/second')"),
    ]);
    expect(await second.locator("h1").textContent()).toBe("Second");
  });

  it("navigates, including back and forward", async () => {
    const response = await page.goto(stage.site.url("/second"));
    expect(response?.status()).toBe(200);
    await page.click("text=Back home");
    await page.waitForURL("**/");
    await page.goBack();
    expect(await page.locator("h1").textContent()).toBe("Second");
    await page.goForward();
    expect(await page.locator("h1").textContent()).toBe("Home");
    await page.reload();
    expect((await page.goto(stage.site.url("/redirect")))?.url()).toBe(stage.site.url("/second"));
  });

  it("answers dialogs", async () => {
    await page.goto(stage.site.url("/dialogs"));
    page.once("dialog", (dialog) => void dialog.accept("Bob"));
    await page.click("#ask");
    expect(await page.locator("#out").textContent()).toBe("Bob");
  });

  it("uploads files", async () => {
    await page.goto(stage.site.url("/upload"));
    await page.setInputFiles("#file", { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("hi") });
    await until(async () => (await page.locator("#out").textContent()) === "a.txt:hi");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#file")]);
    await chooser.setFiles(join(stage.person.profile, "Local State"));
    await until(async () => (await page.locator("#out").textContent())?.startsWith("Local State:"));
  });

  it("downloads files, to where path() and saveAs() find them", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download")]);
    expect(download.suggestedFilename()).toBe("report.txt");
    expect(readFileSync(await download.path(), "utf8")).toBe("the report");
    const copy = join(stage.person.profile, "copy.txt");
    await download.saveAs(copy);
    expect(readFileSync(copy, "utf8")).toBe("the report");
  });

  it("intercepts requests", async () => {
    await page.route("**/json**", (route) => route.fulfill({ json: { made: "up" } }));
    expect(await page.evaluate("fetch('/json').then((r) => r.json())")).toEqual({ made: "up" });
    await page.unroute("**/json**");
    expect(await page.evaluate("fetch('/json?a=1').then((r) => r.json()).then((j) => j.query)")).toEqual({
      a: "1",
    });
  });

  it("exposes functions and runs scripts at the start of documents", async () => {
    await page.exposeFunction("add", (a: number, b: number) => a + b);
    expect(await page.evaluate("add(2, 3)")).toBe(5);
    await page.addInitScript("window.early = document.readyState");
    await page.goto(stage.site.url("/second"));
    expect(await page.evaluate("early")).toBe("loading");
    expect(await page.evaluate("add(1, 1)")).toBe(2);
  });
});
