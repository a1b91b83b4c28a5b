import type { PuppeteerCases } from "./case.js";

const json = "fetch('/json').then((r) => r.json())";

export const puppetSurroundingCases: PuppeteerCases = {
  "console messages": async ({ page }) => {
    const seen: string[] = [];
    page.on("console", (message) => seen.push(`${message.type()}: ${message.text()}`));
    await page.evaluate("console.log('a', 1); console.warn('w')");
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 30))");
    return seen;
  },
  "uncaught errors": async ({ page }) => {
    const failed = new Promise<Error>((resolve) =>
      page.once("pageerror", (error) => resolve(error as Error)),
    );
    await page.evaluate("void setTimeout(() => { throw new Error('oops') })");
    return (await failed).message;
  },
  "requests and responses": async ({ page, url }) => {
    const seen: string[] = [];
    page.on("request", (request) => seen.push(`> ${new URL(request.url()).pathname}`));
    page.on("response", (response) => seen.push(`< ${response.status()}`));
    await page.goto(url("/second"));
    return seen.filter((line) => !line.includes("favicon")).slice(0, 2);
  },
  waitForResponse: async ({ page }) => {
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.url().endsWith("/json?x=1")),
      page.evaluate("fetch('/json?x=1').then((r) => r.text()).then(() => 0)"),
    ]);
    return ((await response.json()) as { query: object }).query;
  },
  "interception: respond": async ({ page }) => {
    await page.setRequestInterception(true);
    page.on("request", (request) =>
      request.url().endsWith("/json")
        ? void request.respond({ contentType: "application/json", body: "[1]" }).catch(() => {})
        : void request.continue().catch(() => {}),
    );
    return page.evaluate(json);
  },
  "interception: abort": async ({ page }) => {
    await page.setRequestInterception(true);
    page.on("request", (request) =>
      request.url().endsWith("/json")
        ? void request.abort().catch(() => {})
        : void request.continue().catch(() => {}),
    );
    return page.evaluate("fetch('/json').catch((e) => e.name)");
  },
  "extra headers": async ({ page }) => {
    await page.setExtraHTTPHeaders({ "x-extra": "1" });
    const result = await page.evaluate(`${json}.then((j) => j.headers['x-extra'])`);
    await page.setExtraHTTPHeaders({});
    return result;
  },
  "user agent": async ({ page }) => {
    const own = await page.evaluate("navigator.userAgent");
    await page.setUserAgent({ userAgent: "Made up" });
    const set = await page.evaluate("navigator.userAgent");
    await page.setUserAgent({ userAgent: String(own) });
    return set;
  },
  authentication: async ({ page, url }) => {
    await page.authenticate({ username: "u", password: "p" });
    await page.goto(url("/auth"));
    const text = await page.evaluate("document.body.textContent");
    await page.authenticate(null);
    return text;
  },
  offline: async ({ page }) => {
    await page.setOfflineMode(true);
    const off = await page.evaluate("navigator.onLine");
    await page.setOfflineMode(false);
    return [off, await page.evaluate("navigator.onLine")];
  },
  cookies: async ({ page, url }) => {
    await page.setCookie({ name: "p1", value: "v", url: url("/") });
    const values = (await page.cookies(url("/")))
      .filter(({ name }) => name === "p1")
      .map(({ value }) => value);
    await page.deleteCookie({ name: "p1", url: url("/") });
    return [values, await page.evaluate("document.cookie.includes('p1')")];
  },
  dialogs: async ({ page }) => {
    const seen: string[] = [];
    page.on("dialog", async (dialog) => {
      seen.push(`${dialog.type()}: ${dialog.message()}`);
      await dialog.accept("typed");
    });
    const answers = await page.evaluate("[confirm('b'), prompt('c')]");
    return [seen, answers];
  },
  viewport: async ({ page }) => {
    await page.setViewport({ width: 640, height: 480 });
    return page.evaluate("[innerWidth, innerHeight]");
  },
  "emulated media": async ({ page }) => {
    await page.emulateMediaType("print");
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    const result = await page.evaluate(
      "[matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches]",
    );
    await page.emulateMediaType();
    await page.emulateMediaFeatures();
    return result;
  },
  "time zone": async ({ page }) => {
    await page.emulateTimezone("Asia/Tokyo");
    const zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone");
    await page.emulateTimezone();
    return zone;
  },
  "JavaScript off and on": async ({ page, url }) => {
    await page.setJavaScriptEnabled(false);
    await page.goto(url("/"));
    const off = await page.evaluate("typeof ready");
    await page.setJavaScriptEnabled(true);
    await page.goto(url("/"));
    return [off, await page.evaluate("typeof ready")];
  },
  "content security policy passed over": async ({ page }) => {
    await page.setBypassCSP(true);
    await page.addScriptTag({ content: "window.tagged = 1" });
    await page.setBypassCSP(false);
    return page.evaluate("tagged");
  },
  "a picture": async ({ page }) => {
    await page.setViewport({ width: 300, height: 200 });
    const png = Buffer.from(await page.screenshot());
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  },
  "a picture of all of the page": async ({ page }) => {
    await page.setViewport({ width: 300, height: 200 });
    await page.setContent(`<body style="margin:0"><div style="height:700px"></div>`);
    const png = Buffer.from(await page.screenshot({ fullPage: true }));
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  },
  "a picture of an element": async ({ page }) => {
    await page.setContent(`<div id=x style="width:50px;height:40px;background:red"></div>`);
    const png = Buffer.from((await (await page.$("#x"))?.screenshot()) ?? []);
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  },
  "a PDF": async ({ page }) =>
    Buffer.from(await page.pdf())
      .subarray(0, 5)
      .toString(),
  tracing: async ({ page }) => {
    await page.tracing.start();
    await page.evaluate("1");
    const trace = await page.tracing.stop();
    return (trace?.length ?? 0) > 100;
  },
};
