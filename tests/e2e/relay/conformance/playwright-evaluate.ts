import type { PlaywrightCases } from "./case.js";

export const evaluateCases: PlaywrightCases = {
  "a number": ({ page }) => page.evaluate(() => 6 * 7),
  "a string with every kind of character": ({ page }) => page.evaluate(() => "ä\u0000\u2028😀\\\"'"),
  "an object with nested arrays": ({ page }) => page.evaluate(() => ({ a: [1, { b: [null, true] }] })),
  "undefined, NaN, infinity and minus zero": ({ page }) =>
    page.evaluate(() =>
      [undefined, Number.NaN, Number.POSITIVE_INFINITY, -0].map((v) => Object.is(v, -0) || v),
    ),
  "a date, a regular expression, an error and a big integer": async ({ page }) => {
    const [date, expression, error, big] = await page.evaluate(
      () => [new Date(0), /a+/gi, new Error("x"), 10n] as const,
    );
    return [date.toISOString(), String(expression), error.message, String(big)];
  },
  "arguments of many kinds": ({ page }) =>
    page.evaluate(([a, b, c]) => [typeof a, (b as { x: number }).x, (c as readonly number[]).length], [
      1,
      { x: 2 },
      [1, 2, 3],
    ] as const),
  "a promise": ({ page }) =>
    page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve("later"), 10))),
  "a thrown error": ({ page }) =>
    page.evaluate(() => {
      throw new TypeError("no good");
    }),
  "a rejected promise": ({ page }) => page.evaluate(() => Promise.reject(new Error("rejected"))),
  "a syntax error": ({ page }) => page.evaluate("1 +"),
  "a cycle": ({ page }) =>
    page.evaluate(() => {
      const a: Record<string, unknown> = { n: 1 };
      a.self = a;
      return (a.self as { n: number }).n;
    }),
  "a handle and its property": async ({ page }) => {
    const handle = await page.evaluateHandle(() => ({ list: [1, 2, 3] }));
    const list = await handle.getProperty("list");
    const value = await list.jsonValue();
    await handle.dispose();
    return value;
  },
  "a handle as an argument": async ({ page }) => {
    const body = await page.evaluateHandle(() => document.body);
    return page.evaluate((node) => node.nodeName, body);
  },
  "a large string, 1 MB": async ({ page }) => (await page.evaluate((n) => "x".repeat(n), 1_000_000)).length,
  "a large argument, 1 MB": ({ page }) => page.evaluate((text) => text.length, "y".repeat(1_000_000)),
  "globals that stay": async ({ page }) => {
    await page.evaluate("window.kept = 5");
    return page.evaluate("kept");
  },
  "the main world and not another": ({ page }) => page.evaluate("typeof ready"),
  "many at once": async ({ page }) =>
    (await Promise.all(Array.from({ length: 50 }, (_, i) => page.evaluate((n) => n, i)))).join(),
  "a function exposed to the page": async ({ page }) => {
    await page.exposeFunction("twice", (n: number) => n * 2);
    return page.evaluate("twice(21)");
  },
  "a binding that knows its source": async ({ page }) => {
    await page.exposeBinding("where", (source) => new URL(source.frame.url()).pathname);
    return page.evaluate("where()");
  },
  waitForFunction: async ({ page }) => {
    await page.evaluate("setTimeout(() => window.flag = 'up', 30)");
    return (await page.waitForFunction("window.flag")).jsonValue();
  },
  "an element's own evaluate": ({ page }) => page.locator("h1").evaluate((node) => node.textContent),
  evaluateAll: ({ page }) => page.locator("li").evaluateAll((nodes) => nodes.length),
  "$eval and $$eval": async ({ page }) => [
    await page.$eval("h1", (node) => node.tagName),
    await page.$$eval("li", (nodes) => nodes.map((node) => node.textContent)),
  ],
  "addScriptTag and addStyleTag": async ({ page }) => {
    await page.addScriptTag({ content: "window.tagged = 3" });
    await page.addStyleTag({ content: "h1 { color: rgb(1, 2, 3) }" });
    return page.evaluate("[tagged, getComputedStyle(document.querySelector('h1')).color]");
  },
  "an evaluate that a navigation interrupts": async ({ page, url }) => {
    const interrupted = page.evaluate((to) => {
      location.href = to;
      return new Promise(() => {});
    }, url("/second"));
    // It may fail before anyone waits for it.
    interrupted.catch(() => {});
    await page.waitForURL("**/second");
    return interrupted;
  },
};
