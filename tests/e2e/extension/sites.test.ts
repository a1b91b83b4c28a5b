import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION_ID } from "@debug-bridge/extension/id";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub } from "./fake-hub.js";

let browser: ExtensionBrowser;
let hub: FakeHub;

beforeAll(async () => {
  hub = await FakeHub.start();
  // No test can answer Chrome's question for the permission, so this copy has it from the start.
  browser = await ExtensionBrowser.launch({ consoleUrl: hub.address }, (extension) => {
    const file = join(extension, "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { host_permissions: string[] };
    manifest.host_permissions.push("http://shop.test/*");
    writeFileSync(file, JSON.stringify(manifest));
  });
  await until(() => hub.messages.length > 0);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

async function openShop(line: string): Promise<Page> {
  const page = await browser.context.newPage();
  await page.route("http://shop.test/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<title>Shop</title><script>console.log("${line}")</script>`,
    }),
  );
  await page.goto("http://shop.test/cart");
  return page;
}

const matches = async (): Promise<string[]> =>
  (await browser.worker()).evaluate(
    async () => (await chrome.scripting.getRegisteredContentScripts({ ids: ["page"] }))[0]?.matches ?? [],
  );

describe("a site that was chosen", () => {
  it("is captured until it is removed in the popup", async () => {
    await openShop("before");
    const worker = await browser.worker();
    await worker.evaluate(() =>
      chrome.storage.local.set({ sites: ["http://shop.test/*", "http://never-permitted.test/*"] }),
    );
    await until(async () => (await matches()).includes("http://shop.test/*"));
    expect(await matches()).not.toContain("http://never-permitted.test/*");
    const page = await openShop("chosen");
    expect((await hub.event("chosen")).source).toMatchObject({ url: "http://shop.test/cart", title: "Shop" });

    const popup = await browser.context.newPage();
    await popup.goto(`chrome-extension://${EXTENSION_ID}/popup.html`);
    await popup.getByRole("button", { name: "Stop capturing http://shop.test", exact: true }).click();
    await until(async () => !(await matches()).includes("http://shop.test/*"));
    await page.evaluate(() => console.log("after removal"));
    await openShop("removed");
    await browser.run("console.log('end of sites')");
    await hub.event("end of sites");
    expect(hub.lines).not.toContain("before");
    expect(hub.lines).not.toContain("after removal");
    expect(hub.lines).not.toContain("removed");
  });
});
