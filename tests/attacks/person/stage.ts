import { EXTENSION_ID } from "@debug-bridge/extension/id";
import { type Browser, chromium, type Page } from "playwright-core";
import { Stage } from "../../e2e/relay/stage.js";
import { until } from "../../fixtures.js";
import { CdpClient } from "../../integration/relay/cdp-client.js";
import { SITE_FLAGS, type Sites, startSites } from "./sites.js";

export type Level = "full" | "read-only" | "site";

/** A person who is logged in at several sites, shares tabs one by one, and decides in the popup. */
export class PersonStage {
  private constructor(
    readonly stage: Stage,
    readonly sites: Sites,
    private readonly direct: Browser,
  ) {}

  static async start(): Promise<PersonStage> {
    const sites = await startSites();
    const stage = await Stage.start({ flags: SITE_FLAGS });
    await stage.person.inWorker("chrome.storage.local.set({ share: 'chosen' })");
    await until(async () => (await stage.health()).tabs === 0);
    // Playwright waits forever for a page that has not loaded yet when it connects.
    await until(async () => (await stage.person.targets()).some(({ title }) => title === "Home"));
    const direct = await chromium.connectOverCDP(stage.person.endpoint);
    return new PersonStage(stage, sites, direct);
  }

  /** Opens a tab as the person does. */
  async open(url: string): Promise<{ page: Page; tabId: number }> {
    const page = (await this.direct.contexts()[0]?.newPage()) as Page;
    await page.goto(url);
    const tabId = await until(() =>
      this.stage.person.inWorker<number | undefined>(
        `chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url === ${JSON.stringify(page.url())})?.id)`,
      ),
    );
    return { page, tabId };
  }

  /** The popup as it is above a tab. */
  async popup(tabId: number): Promise<Page> {
    const popup = (await this.direct.contexts()[0]?.newPage()) as Page;
    await popup.goto(`chrome-extension://${EXTENSION_ID}/popup.html?tab=${tabId}`);
    await until(() => popup.locator("#this-tab li").count());
    return popup;
  }

  /** Shares a tab with one choice and one click. */
  async share(tabId: number, level: Level): Promise<void> {
    const popup = await this.popup(tabId);
    await popup.locator("#this-tab select").selectOption(level);
    const button = popup.locator("#this-tab button.primary");
    if (await button.count()) await button.click();
    await until(() =>
      this.stage.hub.relay.tabs().some((tab) => tab.tabId === tabId && tab.access?.level === level),
    );
    await popup.close();
  }

  /** A CDP client with a session on a shared tab. */
  async attach(tabId: number): Promise<{ client: CdpClient; session: string }> {
    const client = await CdpClient.connect(this.stage.cdpUrl, { headers: { "user-agent": "Mallory/1.0" } });
    await client.attachAll();
    const targetId = this.stage.hub.relay.tabs().find((tab) => tab.tabId === tabId)?.targetId ?? "";
    return { client, session: client.session(targetId) };
  }

  async reset(): Promise<void> {
    for (const page of this.direct.contexts()[0]?.pages().slice(1) ?? []) await page.close();
    await this.stage.person.inWorker(
      "chrome.storage.local.remove(['access', 'grants', 'visible']).then(() => chrome.storage.local.set({ share: 'chosen' }))",
    );
    this.sites.seen.length = 0;
  }

  async close(): Promise<void> {
    await this.direct.close();
    await this.stage.close();
    await this.sites.close();
  }
}
