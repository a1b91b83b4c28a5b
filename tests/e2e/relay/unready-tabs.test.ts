import { connect as connectAgent } from "@debug-bridge/client";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { CdpClient } from "../../integration/relay/cdp-client.js";
import { quietTime } from "../../support/chrome/quiet-time.js";
import { Stage } from "./stage.js";

/** Well below what a client waits for by itself. */
const AT_ONCE_MS = 20_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
});
afterEach(() => stage.disconnect());
afterAll(() => stage?.close());

async function within<Value>(limitMs: number, run: () => Promise<Value>): Promise<Value> {
  const started = Date.now();
  const value = await run();
  expect(Date.now() - started).toBeLessThan(quietTime(limitMs));
  return value;
}

async function connect(): Promise<Page[]> {
  const browser = await within(AT_ONCE_MS, () => stage.playwright());
  return browser.contexts()[0]?.pages() ?? [];
}

const at = (pages: readonly Page[], path: string): Page =>
  pages.find((page) => page.url() === stage.site.url(path)) as Page;

/** Opens a tab that nobody sees. */
async function openBehind(path: string, title: string): Promise<{ tabId: number; targetId: string }> {
  const tabId = await stage.person.inWorker<number>(
    `chrome.tabs.create({ url: ${JSON.stringify(stage.site.url(path))}, active: false }).then(({ id }) => id)`,
  );
  return until(() => stage.hub.relay.tabs().find((tab) => tab.tabId === tabId && tab.title === title));
}

/** Puts a tab to sleep as Chrome does to save memory; the tab has another id afterwards. */
async function discard(tabId: number): Promise<number> {
  const now = await stage.person.inWorker<number>(`chrome.tabs.discard(${tabId}).then(({ id }) => id)`);
  await until(() => stage.hub.relay.tabs().some((tab) => tab.tabId === now));
  return now;
}

const stateOf = (tabId: number): Promise<{ discarded: boolean; frozen: boolean }> =>
  stage.person.inWorker(`chrome.tabs.get(${tabId}).then(({ discarded, frozen }) => ({ discarded, frozen }))`);

const close = (tabId: number): Promise<unknown> => stage.person.inWorker(`chrome.tabs.remove(${tabId})`);

it("connects even if a tab waits for a server that never answers", async () => {
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

it("knows the URL of a tab that navigated while the tabs were listed", async () => {
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

it("takes repeated screenshots of a background tab without showing it", async () => {
  const active = (): Promise<unknown> =>
    stage.person.inWorker("chrome.tabs.query({ active: true }).then((tabs) => tabs.map(({ id }) => id))");
  const before = await active();
  const { tabId, targetId } = await openBehind("/second", "Second");
  const cdp = stage.hub.relay.openTab(targetId);
  const casts: unknown[] = [];
  cdp.on("Page.screencastFrame", (frame) => casts.push(frame));
  await cdp.send("Page.enable");
  for (let i = 0; i < 10; i++) {
    const { data } = await within(AT_ONCE_MS, () => cdp.send<{ data: string }>("Page.captureScreenshot"));
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
  await close(tabId);
});

it("leaves discarded tabs asleep, and wakes the one that a client uses", async () => {
  const before = await connect();
  const opened = await openBehind("/dialogs", "Dialogs");
  const other = await openBehind("/popup", "Popup");
  await until(() =>
    before[0]
      ?.context()
      .pages()
      .some((page) => page.url() === stage.site.url("/dialogs")),
  );
  const [asked, unasked] = [await discard(opened.tabId), await discard(other.tabId)];
  expect([asked, unasked]).not.toEqual([opened.tabId, other.tabId]);

  const pages = await connect();
  const puppet = await within(AT_ONCE_MS, () => stage.puppeteer());
  expect((await within(AT_ONCE_MS, () => puppet.pages())).map((page) => page.url())).toEqual(
    expect.arrayContaining([stage.site.url("/"), stage.site.url("/dialogs"), stage.site.url("/popup")]),
  );
  expect(await within(AT_ONCE_MS, () => at(pages, "/").title())).toBe("Home");
  for (const tabId of [asked, unasked]) expect(await stateOf(tabId)).toMatchObject({ discarded: true });

  const page = at(pages, "/dialogs");
  expect(await within(AT_ONCE_MS, () => page.locator("h1").textContent())).toBe("Dialogs");
  // Clients that were there before it fell asleep find it again, too.
  const known = before[0]?.context().pages() ?? [];
  expect(await within(AT_ONCE_MS, () => at(known, "/dialogs").title())).toBe("Dialogs");
  expect(await stateOf(unasked)).toMatchObject({ discarded: true });
  for (const tabId of [asked, unasked]) await close(tabId);
});

it("wakes a discarded tab for an agent that observes it", async () => {
  const { tabId } = await openBehind("/dialogs", "Dialogs");
  const asleep = await discard(tabId);
  const { url: hub, token } = stage.hub;
  const agent = await connectAgent({ hub, token, sessionId: `tab-${asleep}` });
  expect(await stateOf(asleep)).toMatchObject({ discarded: true });
  expect((await within(AT_ONCE_MS, () => agent.observe())).text).toContain('button "Ask"');
  agent.close();
  await close(asleep);
});

it("hides a tab that the person took back from agents, even if Chrome has discarded it", async () => {
  const { tabId } = await openBehind("/popup", "Popup");
  const direct = await stage.direct();
  const popup = (await direct.contexts()[0]?.newPage()) as Page;
  await popup.goto("chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb/popup.html");
  await popup.getByRole("button", { name: "Stop sharing Popup" }).click();
  await until(() => !stage.hub.relay.tabs().some((tab) => tab.tabId === tabId));
  const asleep = await stage.person.inWorker<number>(`chrome.tabs.discard(${tabId}).then(({ id }) => id)`);
  expect(asleep).not.toBe(tabId);
  // What is reported of tabs arrives in order: this one comes after all reports of the other.
  const later = await openBehind("/dialogs", "Dialogs");
  expect(stage.hub.relay.tabs().map((tab) => tab.tabId)).not.toContain(asleep);
  await popup.locator("#others summary").click();
  await popup.getByRole("button", { name: "Share Popup" }).click();
  await until(() => stage.hub.relay.tabs().some((tab) => tab.tabId === asleep));
  expect(await stateOf(asleep)).toMatchObject({ discarded: true });
  for (const id of [asleep, later.tabId]) await close(id);
  await popup.close();
});

it("works in a tab that Chrome has frozen, and leaves it frozen until then", async () => {
  const { tabId, targetId } = await openBehind("/dialogs", "Dialogs");
  const target = (await stage.person.targets()).find(({ id }) => id === targetId);
  const direct = await CdpClient.connect(target?.webSocketDebuggerUrl ?? "");
  const freeze = (): Promise<unknown> => direct.result("Page.setWebLifecycleState", { state: "frozen" });
  await freeze();
  await until(async () => (await stateOf(tabId)).frozen);

  const pages = await connect();
  expect(await within(AT_ONCE_MS, () => at(pages, "/").title())).toBe("Home");
  expect((await stateOf(tabId)).frozen).toBe(true);
  const cdp = stage.hub.relay.openTab(targetId);
  const expression = "new Promise((resolve) => setTimeout(() => resolve('awake'), 10))";
  const asked = { expression, awaitPromise: true, returnByValue: true };
  for (let i = 0; i < 2; i++) {
    const { result } = await within(AT_ONCE_MS, () =>
      cdp.send<{ result: { value: string } }>("Runtime.evaluate", asked),
    );
    expect(result.value).toBe("awake");
    await freeze();
  }
  cdp.close();
  await close(tabId);
});
