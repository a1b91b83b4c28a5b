import { dirname } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import type { Page as PuppetPage } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { auditText } from "../../support/hub/audit.js";
import { Stage } from "./stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.start({ readOnly: true });
});
afterAll(() => stage?.close());

const audit = (): string => auditText(dirname(stage.hub.tokenFile));

describe("a read-only hub in a real browser", () => {
  it("lets Playwright connect and look, and refuses what acts", async () => {
    const browser = await stage.playwright();
    const context = browser.contexts()[0];
    const page = context?.pages()[0] as Page;
    expect(page.url()).toBe(stage.site.url("/"));
    // Playwright's own evaluate prepares the page in ways that V8 takes for side effects; CDP's does not.
    const cdp = await (context as BrowserContext).newCDPSession(page);
    const read = (expression: string): Promise<unknown> =>
      cdp.send("Runtime.evaluate", { expression, returnByValue: true }).then(({ result }) => result.value);
    expect(await read("document.title")).toBe("Home");
    const { data } = await cdp.send("Page.captureScreenshot");
    expect(Buffer.from(data, "base64").subarray(1, 4).toString()).toBe("PNG");
    expect(await read("document.title = 'changed'")).not.toBe("changed");
    await expect(page.goto(stage.site.url("/second"))).rejects.toThrow(/--read-only/);
    await expect(page.mouse.click(1, 1)).rejects.toThrow(/--read-only/);
    await expect(page.bringToFront()).rejects.toThrow(/--read-only/);
    await expect(page.emulateMedia({ colorScheme: "dark" })).rejects.toThrow(/--read-only/);
    await expect(page.setExtraHTTPHeaders({ a: "b" })).rejects.toThrow(/--read-only/);
    await expect(page.addInitScript("window.owned = 1")).rejects.toThrow(/--read-only/);
    await expect(context?.newPage()).rejects.toThrow(/--read-only/);
    await expect(context?.cookies()).rejects.toThrow(/--read-only/);
    await until(() => audit().includes('"what":"Page.navigate"'));
    expect(audit()).toMatch(/"what":"Page.navigate".*"outcome":"read_only"/);
    expect(await read("document.title")).toBe("Home");
  });

  it("lets Puppeteer connect and look, and refuses what acts", async () => {
    const browser = await stage.puppeteer();
    const page = (await browser.pages())[0] as PuppetPage;
    expect(await page.evaluate("document.title")).toBe("Home");
    await expect(page.goto(stage.site.url("/second"))).rejects.toThrow(/--read-only/);
    await expect(page.mouse.click(1, 1)).rejects.toThrow(/--read-only/);
    await expect(page.setBypassCSP(true)).rejects.toThrow(/--read-only/);
    await expect(browser.newPage()).rejects.toThrow(/--read-only/);
  });
});
