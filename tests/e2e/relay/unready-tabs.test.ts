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
