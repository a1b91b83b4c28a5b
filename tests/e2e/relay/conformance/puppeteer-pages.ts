import type { PuppeteerCases } from "./case.js";

export const puppetPageCases: PuppeteerCases = {
  "evaluate a value": ({ page }) => page.evaluate(() => 6 * 7),
  "evaluate with arguments": ({ page }) => page.evaluate((a, b) => a + b, 1, 2),
  "evaluate a promise": ({ page }) => page.evaluate(() => Promise.resolve("p")),
  "evaluate an error": ({ page }) =>
    page.evaluate(() => {
      throw new TypeError("no good");
    }),
  "evaluate something large": async ({ page }) => (await page.evaluate(() => "x".repeat(500_000))).length,
  "a handle": async ({ page }) => {
    const handle = await page.evaluateHandle(() => ({ a: 1, b: [2] }));
    const properties = [...(await handle.getProperties()).keys()];
    return [properties, await handle.jsonValue()];
  },
  "a handle as an argument": async ({ page }) => {
    const body = await page.$("body");
    return page.evaluate((node) => node?.nodeName, body);
  },
  "$eval and $$eval": async ({ page }) => [
    await page.$eval("h1", (node) => node.textContent),
    await page.$$eval("li", (nodes) => nodes.length),
  ],
  "a function exposed to the page": async ({ page }) => {
    await page.exposeFunction("thrice", (n: number) => n * 3);
    const result = await page.evaluate("thrice(5)");
    await page.removeExposedFunction("thrice");
    return result;
  },
  evaluateOnNewDocument: async ({ page, url }) => {
    const { identifier } = await page.evaluateOnNewDocument("window.early = document.readyState");
    await page.goto(url("/second"));
    const early = await page.evaluate("early");
    await page.removeScriptToEvaluateOnNewDocument(identifier);
    await page.goto(url("/"));
    return [early, await page.evaluate("typeof early")];
  },
  waitForFunction: async ({ page }) => {
    await page.evaluate("setTimeout(() => window.flag = 9, 30)");
    return (await page.waitForFunction("window.flag")).jsonValue();
  },
  "title, content, url": async ({ page }) => [
    await page.title(),
    (await page.content()).length,
    new URL(page.url()).pathname,
  ],
  setContent: async ({ page }) => {
    await page.setContent("<p id=x>set</p>");
    return page.$eval("#x", (node) => node.textContent);
  },
  "goto and its response": async ({ page, url }) => {
    const response = await page.goto(url("/second"));
    return [response?.status(), response?.ok(), (await response?.text())?.length];
  },
  "goto what is not there": async ({ page, url }) => (await page.goto(url("/none")))?.status(),
  "goto where nobody listens": ({ page }) => page.goto("http://127.0.0.1:1/"),
  "goto a redirect": async ({ page, url }) =>
    (await page.goto(url("/redirect")))
      ?.request()
      .redirectChain()
      .map((request) => new URL(request.url()).pathname),
  "goto until the network is idle": async ({ page, url }) => {
    await page.goto(url("/slow-page"), { waitUntil: "networkidle0" });
    return page.title();
  },
  "goto with a limit": ({ page, url }) => page.goto(url("/slow-page"), { timeout: 100 }),
  "back, forward and reload": async ({ page, url }) => {
    await page.goto(url("/second"));
    await page.goto(url("/dialogs"));
    await page.goBack();
    const back = await page.title();
    await page.goForward();
    await page.reload();
    return [back, await page.title()];
  },
  waitForNavigation: async ({ page }) => {
    await Promise.all([page.waitForNavigation(), page.click("a[href='/second']")]);
    return page.title();
  },
  "another site and back": async ({ page, url }) => {
    await page.goto(url("/second", "localhost"));
    const there = await page.evaluate("location.hostname");
    await page.goto(url("/"));
    return [there, await page.evaluate("location.hostname")];
  },
  "events of a navigation": async ({ page, url }) => {
    const seen: string[] = [];
    page.on("framenavigated", () => seen.push("navigated"));
    page.on("domcontentloaded", () => seen.push("dom"));
    page.on("load", () => seen.push("load"));
    await page.goto(url("/second"));
    return seen;
  },
  "a new page": async ({ browser, url }) => {
    const page = await browser.newPage();
    await page.goto(url("/second"));
    const title = await page.title();
    await page.close();
    return [title, page.isClosed()];
  },
  "a popup": async ({ page }) => {
    const popup = new Promise<Awaited<ReturnType<typeof page.browser>> | null>((resolve) =>
      page.once("popup", (opened) => resolve(opened as never)),
    );
    await page.click("a[href='/popup']");
    const opened = (await popup) as unknown as typeof page;
    await opened.waitForSelector("h1");
    const title = await opened.title();
    await opened.close();
    return title;
  },
  waitForTarget: async ({ page, browser, url }) => {
    void page.evaluate((to) => void window.open(to), url("/second"));
    // The tab around it has the same address.
    const target = await browser.waitForTarget(
      (each) => each.type() === "page" && each.url() === url("/second"),
    );
    const opened = await target.page();
    await opened?.waitForSelector("h1");
    const title = await opened?.title();
    await opened?.close();
    return [title, target.type()];
  },
  "frames, near and far": async ({ page, url }) => {
    await page.goto(url("/frames"));
    const far = await page.waitForFrame((frame) => frame.name() === "far");
    const near = await page.waitForFrame((frame) => frame.name() === "near");
    return [
      page.frames().length,
      await far.$eval("#text", (node) => node.textContent),
      await near.$eval("#text", (node) => node.textContent),
    ];
  },
  "frames inside frames of other sites": async ({ page, url }) => {
    await page.goto(url("/nested"));
    const deep = await page.waitForFrame((frame) => frame.name() === "deep");
    await deep.waitForSelector("#press");
    return deep.$eval("#text", (node) => node.textContent);
  },
  "a worker": async ({ page, url }) => {
    const created = new Promise<unknown>((resolve) => page.once("workercreated", resolve));
    await page.goto(url("/workers"));
    const worker = (await created) as { evaluate(code: string): Promise<unknown> };
    // The worker is there before its script has run, and before it has so much as timers.
    await page.waitForFunction("out.textContent !== ''");
    return worker.evaluate("self.answer");
  },
  "a CDP session": async ({ page }) => {
    const session = await page.createCDPSession();
    const { result } = await session.send("Runtime.evaluate", { expression: "2 + 2" });
    await session.detach();
    return [result.value, await page.title()];
  },
  metrics: async ({ page }) => Object.keys(await page.metrics()).includes("Nodes"),
};
