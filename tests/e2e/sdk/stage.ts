import type { DebugBridge, DebugBridgeOptions } from "@debug-bridge/browser";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { FakeHub } from "./fake-hub.js";

/** What the pages of these tests leave in their window. */
export interface Globals {
  DebugBridge: { createDebugBridge(options: DebugBridgeOptions): DebugBridge; bridge?: DebugBridge };
  bridge: DebugBridge;
}

/** A browser for a test file; a hub and a page for each of its tests. */
export interface Stage {
  browser: Browser;
  hub: FakeHub;
  page: Page;
  /** Opens a page whose bridge is made by a separate script. */
  open(body: string, options: string, how?: { connect?: boolean }): Promise<void>;
}

export const FORM = `<h1>Shop</h1><button id="b" data-testid="start" onclick="document.getElementById('out').textContent = 'started'">Start</button>
  <p id="out"></p><label>E-mail <input name="email"></label><script>console.warn("early", { a: 1 })</script>`;

/** Sets the stage up for the file that calls it. Every message that reached the hub must have been valid. */
export function setStage(): Stage {
  const stage = {
    async open(body: string, options: string, { connect = true } = {}) {
      const { hub, page } = stage;
      hub.pages["/"] =
        `<!doctype html><html><head><title>Shop</title><script src="/sdk.js" data-connect="false"></script>
        <script>
          window.bridge = DebugBridge.createDebugBridge({ url: "${hub.url}", sessionId: "s1", ${options} });
          ${connect ? "bridge.connect();" : ""}
        </script></head><body>${body}</body></html>`;
      await page.goto(`${hub.origin}/`);
    },
  } as Stage;
  let context: BrowserContext;
  beforeAll(async () => {
    stage.browser = await sharedChromium();
    context = await stage.browser.newContext();
    // Opening a page beside another one takes less than the first one of a browser.
    await context.newPage();
  });
  afterAll(closePages);
  beforeEach(async () => {
    stage.hub = await FakeHub.start();
    stage.page = await context.newPage();
  });
  afterEach(async () => {
    await stage.page.close();
    // Nothing else is left: the next hub has another port, and with it another origin.
    await context.clearCookies();
    await stage.hub.stop();
    expect(stage.hub.invalid).toEqual([]);
  });
  return stage;
}
