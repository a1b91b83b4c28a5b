/** Marks the functions of this file, which are a user's and not the client's. */
export const MARK = "/* of the user */";

const LOADED = "location.protocol === 'http:' && document.readyState === 'complete'";

/** Every read of Playwright that works read-only. */
export async function readWithPlaywright({ chromium }, endpoint) {
  const browser = await chromium.connectOverCDP(endpoint);
  const page = browser.contexts()[0].pages()[0];
  while (!(await page.evaluate(LOADED).catch(() => false)));
  const at = (selector) => page.locator(selector);
  const reads = [
    () => page.title(),
    () => page.content(),
    ...["textContent", "innerText", "innerHTML"].flatMap((name) => [
      () => page[name]("#x"),
      () => at("#x")[name](),
      () => page.frameLocator("iframe").locator("#in")[name](),
    ]),
    () => page.getAttribute("#x", "data-a"),
    () => page.inputValue("#i"),
    ...["isVisible", "isHidden", "isEnabled", "isDisabled", "isEditable"].flatMap((name) => [
      () => at("#i")[name](),
      () => page[name]("#i"),
    ]),
    () => at("#c").isChecked(),
    () => at("li").count(),
    () => at("li").all(),
    () => at("li").allTextContents(),
    () => at("li").allInnerTexts(),
    () => at("#x").boundingBox(),
    () => at("body").ariaSnapshot(),
    () => page.ariaSnapshot?.(),
    () => page.getByRole("heading", { name: "Head" }).textContent(),
    () => at("#x").waitFor(),
    () => page.frames()[1].title(),
    () => page.frames()[1].content(),
    () => page.frames()[1].locator("#in").textContent(),
    () => page.screenshot(),
    () => page.screenshot({ fullPage: true }),
    () => page.waitForSelector("#x", { state: "attached" }),
    ...["textContent", "innerText", "innerHTML", "isVisible", "isHidden", "isEnabled", "boundingBox"].map(
      (name) => async () => (await page.$("#x"))[name](),
    ),
    async () => (await page.$("#x")).getAttribute("data-a"),
    async () => (await page.$("#i")).inputValue(),
    () => page.$$("li"),
  ];
  await runAll(reads);
  await browser.close();
}

/** Every read of Puppeteer that works read-only. */
export async function readWithPuppeteer(puppeteer, endpoint) {
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint, defaultViewport: null });
  const page = (await browser.pages())[0];
  while (!(await page.evaluate(LOADED).catch(() => false)));
  const text = new Function("element", `${MARK} return element.textContent`);
  const on = (use) => async () => use(await page.$("#x"));
  const reads = [
    () => page.title(),
    () => page.content(),
    () => page.$eval("#x", text),
    () => page.$$eval("li", text),
    () => page.$$("li"),
    on((element) => element.getProperty("textContent")),
    on((element) => element.isVisible()),
    on((element) => element.isHidden()),
    on((element) => element.isIntersectingViewport()),
    on((element) => element.boundingBox()),
    () => page.$("::-p-text(there)"),
    () => page.$$("::-p-text(there)"),
    () => page.$("::-p-xpath(//li)"),
    () => page.$("pierce/li"),
    () => page.$$("pierce/li"),
    () => page.$("body >>> li"),
    () => page.frames()[1].title(),
    () => page.frames()[1].content(),
    () => page.frames()[1].$eval("#in", text),
    async () => (await page.$("iframe")).contentFrame(),
    () => page.screenshot(),
    () => page.screenshot({ fullPage: true }),
    on((element) => element.$("b")),
  ];
  await runAll(reads);
  await browser.disconnect();
}

async function runAll(reads) {
  for (const read of reads) await read();
}
