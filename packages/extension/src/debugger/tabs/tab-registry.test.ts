import { afterEach, expect, it, vi } from "vitest";
import { SeenTabs } from "./seen-tabs.js";
import { TabRegistry, type TabRegistryOptions } from "./tab-registry.js";

type Tab = chrome.tabs.Tab;

/** A browser with one tab, and a registry whose rule for that tab takes until `enforced` is called. */
function setUp() {
  const tab = { id: 1, windowId: 1, url: "about:blank", title: "", status: "complete" } as Tab;
  const reports: object[] = [];
  let enforced = (): void => {};
  const rule = new Promise<void>((resolve) => {
    enforced = resolve;
  });
  vi.stubGlobal("chrome", {
    tabs: { query: async () => [{ ...tab }], get: async () => ({ ...tab }) },
    windows: { getLastFocused: async () => ({ id: 1, focused: true }) },
    debugger: { getTargets: async () => [{ tabId: 1, id: "target" }] },
  });
  const options: TabRegistryOptions = {
    isOffered: () => true,
    accessOf: () => undefined,
    enforce: () => rule,
    isAttached: () => false,
    onOpened: (opened) => reports.push({ opened: opened.url }),
    onClosed: (closed) => reports.push({ closed }),
    onAccessChanged: () => {},
    onUpdated: ({ url }) => reports.push({ url }),
  };
  const registry = new TabRegistry(new SeenTabs(), options);
  const navigate = (url: string): void => {
    Object.assign(tab, { url });
    registry.updated(1, { url }, { ...tab });
  };
  return { registry, reports, navigate, enforced };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

afterEach(() => {
  vi.unstubAllGlobals();
});

it("reports a navigation that happens while the rules of the listed tabs come into force", async () => {
  const { registry, reports, navigate, enforced } = setUp();
  const list = registry.list();
  await turn();
  navigate("http://shop.example/");
  enforced();
  expect(await list).toMatchObject([{ tabId: 1, url: "about:blank" }]);
  await turn();
  expect(reports).toEqual([{ url: "http://shop.example/" }]);
});
