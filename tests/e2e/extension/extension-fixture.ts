import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { until } from "../../fixtures.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub } from "./fake-hub.js";

/** A browser with the extension, connected to a fake hub. */
export interface ExtensionFixture {
  readonly browser: ExtensionBrowser;
  readonly hub: FakeHub;
}

/**
 * Starts a browser whose extension is connected to a fake hub, once for all tests of a file. After each test the pages
 * are closed, and the hub must not have received anything that its schema refuses.
 *
 * @example
 * const fixture = setUpExtension();
 * it("is captured", async () => {
 *   await fixture.browser.run("console.log('hello')");
 *   await fixture.hub.event("hello");
 * });
 */
export function setUpExtension(): ExtensionFixture {
  let browser: ExtensionBrowser | undefined;
  let hub: FakeHub | undefined;
  beforeAll(async () => {
    const started = await FakeHub.start();
    hub = started;
    browser = await ExtensionBrowser.launch({ consoleUrl: started.address });
    await until(() => started.messages.length > 0);
  });
  afterEach(async () => {
    await browser?.closePages();
    expect(hub?.invalid).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });
  return {
    get browser() {
      return browser as ExtensionBrowser;
    },
    get hub() {
      return hub as FakeHub;
    },
  };
}
