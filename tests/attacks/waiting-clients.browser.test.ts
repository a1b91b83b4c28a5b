import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mcpClient } from "../e2e/mcp/client.js";
import { until } from "../fixtures.js";
import { PersonStage } from "./person/stage.js";

let person: PersonStage;
beforeAll(async () => {
  person = await PersonStage.start();
});
afterEach(async () => {
  await person.stage.disconnect();
  await person.reset();
});
afterAll(() => person?.close());

const badge = (): Promise<string> => person.stage.person.inWorker("chrome.action.getBadgeText({})");

/** The popup above a tab, once it shows that somebody waits. */
async function asked(): Promise<{ popup: Page; tabId: number }> {
  const { tabId } = await person.open(person.sites.url("shop.test"));
  await until(async () => (await badge()) === "?");
  const popup = await person.popup(tabId);
  await until(() => popup.locator("#waiting li").count());
  return { popup, tabId };
}

describe("a client that connects while nothing is shared", () => {
  it("waits, and gets this tab with one click", async () => {
    const browser = await person.stage.playwright();
    const context = browser.contexts()[0];
    expect(context?.pages()).toEqual([]);
    const { popup, tabId } = await asked();
    expect(await popup.locator("#waiting").textContent()).toMatch(
      /Playwright.* wants to work in your browser/,
    );
    await popup.getByRole("button", { name: "Share this tab" }).click();
    const page = await until(() => context?.pages()[0]);
    expect(await page.title()).toBe("shop.test /");
    expect(person.stage.hub.relay.tabs().map((tab) => tab.tabId)).toEqual([tabId]);
    await until(async () => (await badge()) !== "?");
    await until(async () => !(await popup.locator("#questions").isVisible()));
  });

  it("gets all tabs with one click", async () => {
    const browser = await person.stage.playwright();
    const { popup } = await asked();
    await person.open(person.sites.url("mail.test"));
    await popup.getByRole("button", { name: "Share all tabs" }).click();
    await until(() =>
      browser
        .contexts()[0]
        ?.pages()
        .some((page) => page.url().includes("mail.test")),
    );
    expect(await until(() => popup.locator("#share-all").isChecked())).toBe(true);
  });

  it("gets a clear error when the person says no, for what it asked before too", async () => {
    const browser = await person.stage.playwright();
    const opening = browser
      .contexts()[0]
      ?.newPage()
      .catch((error: Error) => error.message);
    const { popup } = await asked();
    await popup.getByRole("button", { name: /Share nothing with/ }).click();
    expect(await opening).toMatch(/grant: new-sites/);
    await until(async () => (await badge()) !== "?");
    await expect(browser.contexts()[0]?.newPage()).rejects.toThrow(
      /the person was asked in the extension's popup and shares no tab/,
    );
  });

  it("over HTTP is notified that the person was asked", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    const { url, token } = person.stage.hub;
    const response = await fetch(`${url}/v1/sessions/tab-${tabId}/commands`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-debug-bridge-client": "curl",
      },
      body: JSON.stringify({ type: "request_ui_tree" }),
    });
    expect(JSON.stringify(await response.json())).toContain("the person was asked in the extension's popup");
    await until(async () => (await badge()) === "?");
    const popup = await person.popup(tabId);
    await until(async () => (await popup.locator("#waiting").textContent())?.includes("curl"));
  });

  it("over MCP is notified that the person was asked", async () => {
    const { hub } = person.stage;
    const user = await mcpClient(["--hub", hub.url, "--home", dirname(hub.tokenFile)]);
    const { tabId } = await person.open(person.sites.url("shop.test"));
    const { text, isError } = await user.call("observe", {});
    expect(isError).toBe(true);
    expect(text).toContain("the person was asked in the extension's popup");
    const popup = await person.popup(tabId);
    await until(async () => (await popup.locator("#waiting").textContent())?.includes("mcp"));
    await popup.getByRole("button", { name: "Share this tab" }).click();
    await until(async () => (await user.call("observe", {})).text.includes("shop.test"));
  });
});
