import type { BrowserContext, Page } from "playwright-core";
import puppeteer, { type PageEvents } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../fixtures.js";
import { featuresOff } from "../../../support/chrome/chromium.js";
import { someOf } from "../../../support/machine/long-mode.js";
import { Stage } from "../stage.js";
import type { PlaywrightCases, PuppeteerCases } from "./case.js";
import { elementCases } from "./playwright-elements.js";
import { evaluateCases } from "./playwright-evaluate.js";
import { newTabCases } from "./playwright-new-tabs.js";
import { pageCases } from "./playwright-pages.js";
import { surroundingCases } from "./playwright-surroundings.js";
import { puppetElementCases } from "./puppeteer-elements.js";
import { puppetPageCases } from "./puppeteer-pages.js";
import { puppetSurroundingCases } from "./puppeteer-surroundings.js";

const PLAYWRIGHT = chosen<PlaywrightCases>({
  evaluate: evaluateCases,
  elements: elementCases,
  pages: pageCases,
  surroundings: surroundingCases,
  "new tabs": newTabCases,
});
const PUPPETEER = chosen<PuppeteerCases>({
  pages: puppetPageCases,
  elements: puppetElementCases,
  surroundings: puppetSurroundingCases,
});

/** A fifth of each group in `npm test`. */
function chosen<Cases extends object>(groups: Record<string, Cases>): Record<string, Cases> {
  return Object.fromEntries(
    Object.entries(groups).map(([group, cases]) => {
      const all = Object.entries(cases);
      return [group, Object.fromEntries(someOf(all, Math.ceil(all.length / 5))) as Cases];
    }),
  );
}
/** Far above what any script takes on a busy machine. */
const LIMIT_MS = 15_000;

let stage: Stage;
const results = { direct: new Map<string, string>(), relay: new Map<string, string>() };

/** What a script gave, as text: its result, or the first line of its error. */
async function outcome(run: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("hangs")), LIMIT_MS);
  });
  try {
    return JSON.stringify(await Promise.race([run(), limit])) ?? "undefined";
  } catch (thrown) {
    return `throws ${String((thrown as Error).message).split("\n")[0]}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Back to where every script begins; the last one may still be on its way elsewhere. */
async function home(
  page: { goto(url: string, options: { timeout: number }): Promise<unknown> },
  url: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await page.goto(url, { timeout: 10_000 });
      return;
    } catch (thrown) {
      if (attempt === 6) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function runPlaywright(way: "direct" | "relay"): Promise<void> {
  const browser = way === "direct" ? await stage.direct() : await stage.playwright();
  const context = browser.contexts()[0] as BrowserContext;
  const page = context.pages().find((each) => each.url().startsWith("http")) as Page;
  const url = stage.site.url;
  for (const [group, cases] of Object.entries(PLAYWRIGHT)) {
    for (const [name, run] of Object.entries(cases)) {
      await home(page, url("/"));
      results[way].set(`playwright ${group}: ${name}`, await outcome(() => run({ page, context, url })));
      page.removeAllListeners();
      await page.unrouteAll();
      for (const other of context.pages())
        if (other !== page && other.url() !== "about:blank") await other.close().catch(() => {});
    }
  }
  await home(page, url("/"));
  await stage.disconnect();
}

/** Each group has a separate connection: Puppeteer waits for sessions of frames and workers that are long gone. */
async function runPuppeteer(way: "direct" | "relay", group: string, cases: PuppeteerCases): Promise<void> {
  const browser =
    way === "relay"
      ? await stage.puppeteer()
      : await puppeteer.connect({ browserURL: stage.person.endpoint, defaultViewport: null });
  const page = (await browser.pages()).find((each) => each.url().startsWith("http"));
  const url = stage.site.url;
  if (!page) throw new Error("no page to work on");
  // Removing all listeners would remove Puppeteer's own.
  const listening: [keyof PageEvents, () => void][] = [];
  const on = page.on.bind(page);
  page.on = ((event: keyof PageEvents, handler: () => void) => {
    listening.push([event, handler]);
    return on(event, handler);
  }) as typeof page.on;
  for (const [name, run] of Object.entries(cases)) {
    await home(page, url("/"));
    results[way].set(`puppeteer ${group}: ${name}`, await outcome(() => run({ page, browser, url })));
    for (const [event, handler] of listening.splice(0)) page.off(event, handler);
    await page.setRequestInterception(false);
    for (const target of browser.targets())
      if (target.type() === "page" && target !== page.target())
        await (await target.page())?.close().catch(() => {});
  }
  await home(page, url("/"));
  await browser.disconnect();
}

/** Closes what scripts may have left open. */
async function onePage(): Promise<void> {
  await until(async () => {
    const pages = (await stage.person.targets()).filter(({ type }) => type === "page");
    const extra = pages.filter(({ url }) => url !== stage.site.url("/"));
    for (const { id } of extra) await fetch(`${stage.person.endpoint}/json/close/${id}`);
    return pages.length === 1;
  });
}

async function runAll(): Promise<void> {
  for (const way of ["direct", "relay"] as const) {
    await runPlaywright(way);
    await onePage();
    for (const [group, cases] of Object.entries(PUPPETEER)) {
      await runPuppeteer(way, group, cases);
      await onePage();
    }
  }
}

/** With `CONFORMANCE=chrome` the hub is connected to the browser itself; else the extension is in between. */
beforeAll(async () => {
  // Both clients turn this cache off in browsers that they start: with it, they hang on their own.
  const flags = [featuresOff("BackForwardCache")];
  stage = await (process.env.CONFORMANCE === "chrome"
    ? Stage.startDirect({ flags })
    : Stage.start({ flags }));
  await runAll();
}, 900_000);
afterAll(() => stage?.close());

const names = (client: string, groups: Record<string, object>): string[] =>
  Object.entries(groups).flatMap(([group, cases]) =>
    Object.keys(cases).map((name) => `${client} ${group}: ${name}`),
  );

describe("the same with and without the relay", () => {
  it.each([...names("playwright", PLAYWRIGHT), ...names("puppeteer", PUPPETEER)])("%s", (name) => {
    expect(results.relay.get(name)).toBe(results.direct.get(name));
    expect(results.relay.get(name)).not.toContain("hangs");
  });

  it("has enough scripts to be meaningful", () => {
    const groups = [...Object.values(PLAYWRIGHT), ...Object.values(PUPPETEER)];
    expect(results.relay.size).toBe(groups.flatMap((cases) => Object.keys(cases)).length);
    expect(results.relay.size).toBeGreaterThanOrEqual(40);
    const failing = [...results.direct.values()].filter((text) => text.startsWith("throws"));
    expect(failing.length).toBeLessThan(20);
  });
});
