import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "./stage.js";

/** Well below what a client waits for by itself. */
const AT_ONCE_MS = 5_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
});
afterEach(() => stage.disconnect());
afterAll(() => stage?.close());

async function within<Value>(limitMs: number, run: () => Promise<Value>): Promise<Value> {
  const started = Date.now();
  const value = await run();
  expect(Date.now() - started).toBeLessThan(limitMs);
  return value;
}

async function connect(): Promise<Page[]> {
  const browser = await within(AT_ONCE_MS, () => stage.playwright());
  return browser.contexts()[0]?.pages() ?? [];
}

const at = (pages: readonly Page[], path: string): Page =>
  pages.find((page) => page.url() === stage.site.url(path)) as Page;

it("connects although a tab waits for a server that never answers", async () => {
  const before = stage.hub.relay.tabs().length;
  const id = await stage.person.open(stage.site.url("/never"));
  await until(() => stage.hub.relay.tabs().length > before);
  const pages = await connect();
  expect(pages).toHaveLength(before + 1);
  expect(await within(AT_ONCE_MS, () => at(pages, "/").title())).toBe("Home");
  const puppet = await within(AT_ONCE_MS, () => stage.puppeteer());
  expect((await within(AT_ONCE_MS, () => puppet.pages())).map((page) => page.url())).toContain(
    stage.site.url("/"),
  );
  const waiting = pages.find((page) => page.url() === "about:blank") as Page;
  expect(await within(AT_ONCE_MS, () => waiting.evaluate("1 + 1"))).toBe(2);
  await within(AT_ONCE_MS, () => waiting.goto(stage.site.url("/second")));
  expect(await waiting.title()).toBe("Second");
  await fetch(`${stage.person.endpoint}/json/close/${id}`);
});

it("knows where a tab is that went elsewhere while the tabs were listed", async () => {
  const id = await stage.person.open(stage.site.url("/dialogs"));
  await until(() => stage.hub.relay.tabs().some(({ url }) => url === stage.site.url("/dialogs")));
  // Chrome's answer is held back until the tab has gone on, as happens by chance when a browser starts.
  await stage.person.inWorker(`(() => {
    const { query } = chrome.tabs;
    chrome.tabs.query = async (...asked) => {
      const answer = await query.apply(chrome.tabs, asked);
      chrome.tabs.query = query;
      const { id } = answer.find(({ url }) => url.endsWith("/dialogs"));
      await new Promise((resolve) => {
        chrome.tabs.onUpdated.addListener((tabId, { status }) => {
          if (tabId === id && status === "complete") setTimeout(resolve);
        });
        chrome.tabs.update(id, { url: ${JSON.stringify(stage.site.url("/upload"))} });
      });
      return answer;
    };
  })()`);
  await stage.restartHub();
  await stage.untilConnected();
  const { targetId } = await until(() =>
    stage.hub.relay.tabs().find(({ url }) => url === stage.site.url("/upload")),
  );
  expect(targetId).toBe(id);
  await fetch(`${stage.person.endpoint}/json/close/${id}`);
});

it("takes pictures of a tab that was never shown, time and again, and shows it to nobody", async () => {
  const active = (): Promise<unknown> =>
    stage.person.inWorker("chrome.tabs.query({ active: true }).then((tabs) => tabs.map(({ id }) => id))");
  const before = await active();
  const tabId = await stage.person.inWorker<number>(
    `chrome.tabs.create({ url: ${JSON.stringify(stage.site.url("/second"))}, active: false }).then(({ id }) => id)`,
  );
  const tab = await until(() =>
    stage.hub.relay.tabs().find((each) => each.tabId === tabId && each.title === "Second"),
  );
  const cdp = stage.hub.relay.openTab(tab.targetId);
  const casts: unknown[] = [];
  cdp.on("Page.screencastFrame", (frame) => casts.push(frame));
  await cdp.send("Page.enable");
  for (let i = 0; i < 10; i++) {
    const { data } = await within(1_000, () => cdp.send<{ data: string }>("Page.captureScreenshot"));
    expect(data.length).toBeGreaterThan(500);
    // Chrome wakes the page for the picture; the next one is harder once it sleeps again.
    await until(async () => {
      const asked = { expression: "document.visibilityState" };
      const { result } = await cdp.send<{ result: { value: string } }>("Runtime.evaluate", asked);
      return result.value === "hidden";
    });
  }
  expect(casts).toEqual([]);
  expect(await active()).toEqual(before);
  cdp.close();
  await stage.person.inWorker(`chrome.tabs.remove(${tabId})`);
});
