import type { CommandInput } from "@debug-bridge/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Stage } from "../e2e/relay/stage.js";
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

interface Stored {
  readonly share?: string;
  readonly access?: { readonly level: string };
  readonly visible?: boolean;
}
const stored = (): Promise<Stored> =>
  person.stage.person.inWorker("chrome.storage.local.get(['share', 'access', 'visible'])");

describe("the popup's settings (first use 1 and 2)", () => {
  it("share nothing until the person shares it", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    expect(person.stage.hub.relay.tabs()).toEqual([]);
    await person.share(tabId, "full");
    expect(person.stage.hub.relay.tabs().map((tab) => tab.tabId)).toEqual([tabId]);
  });

  it("stay as they were chosen, whatever else is chosen, and after a restart of the worker", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    const popup = await person.popup(tabId);
    await popup.locator("#settings > summary").click();
    await popup.check("#access-read-only");
    await until(async () => (await stored()).access?.level === "read-only");
    await popup.check("#share-all");
    await until(async () => (await stored()).share === "all");
    await popup.uncheck("#visible");
    await until(async () => (await stored()).visible === false);
    expect(await stored()).toEqual({ share: "all", access: { level: "read-only" }, visible: false });
    await person.stage.person.stopWorker();
    await person.stage.untilConnected();
    expect(await stored()).toEqual({ share: "all", access: { level: "read-only" }, visible: false });
    for (const id of ["#access-read-only", "#share-all"]) await until(() => popup.locator(id).isChecked());
    expect(person.stage.hub.relay.tabs().every((tab) => tab.access?.level === "read-only")).toBe(true);
  });

  it("stay when the browser is closed and started again", async () => {
    const stage = await Stage.start();
    onTestFinished(() => stage.close());
    const wanted = { share: "all", access: { level: "read-only" } };
    await stage.person.inWorker(`chrome.storage.local.set(${JSON.stringify(wanted)})`);
    await until(() => stage.hub.relay.person?.access.level === "read-only");
    const url = stage.site.url("/?again");
    await stage.person.restart("about:blank");
    // The hub keeps the tabs of a lost browser for a moment.
    await stage.person.open(url);
    await until(() => stage.hub.relay.tabs().some((tab) => tab.url === url && tab.title === "Home"));
    await until(() => stage.hub.relay.tabs().every((tab) => tab.url !== stage.site.url("/")));
    expect(stage.hub.relay.person).toMatchObject(wanted);
    expect(stage.hub.relay.tabs().every((tab) => tab.access?.level === "read-only")).toBe(true);
    // Looking goes on: the view, pictures and logs; acting does not.
    const tab = stage.hub.relay.tabs().find((each) => each.url === url)?.tabId;
    const client = stage.hub.connectClient({ name: "reader" });
    onTestFinished(() => client.close());
    const run = (command: CommandInput): ReturnType<typeof client.command> =>
      client.command(`tab-${tab}`, command);
    expect(await run({ type: "request_ui_tree", format: "text" })).toMatchObject({
      success: true,
      result: expect.stringContaining('button "Greet"'),
    });
    expect(await run({ type: "screenshot" })).toMatchObject({ success: true });
    expect(client.records(`tab-${tab}`, 0).some(({ type }) => type === "hello")).toBe(true);
    expect(await run({ type: "click", target: { role: "button", name: "Greet" } })).toMatchObject({
      success: false,
      error: "read_only",
      message: expect.stringContaining("popup"),
    });
  });

  it("keep several quick changes, the last one for each control", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    const popup = await person.popup(tabId);
    await popup.evaluate(() => {
      for (const id of ["access-read-only", "visible", "share-all", "access-site", "access-read-only"])
        document.getElementById(id)?.click();
    });
    await until(async () => (await stored()).visible === false && (await stored()).share === "all");
    await until(async () => (await stored()).access?.level === "read-only");
    await until(() => popup.locator("#access-read-only").isChecked());
    expect(await popup.locator("#share-all").isChecked()).toBe(true);
  });

  it("hold for the very next command, and are listed with the session", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    await person.share(tabId, "full");
    const { client, session } = await person.attach(tabId);
    const navigate = { url: person.sites.url("shop.test", "/next") };
    await client.result("Page.navigate", navigate, session);
    await person.share(tabId, "read-only");
    const { error } = await client.ask("Page.navigate", navigate, session);
    expect(error?.message).toContain('"access: read-only"');
    expect(error?.message).toContain("ask the person to change the access in the Debug Bridge popup");
    const { url, token } = person.stage.hub;
    const response = await fetch(`${url}/v1/sessions/tab-${tabId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ kind: "tab", access: { level: "read-only" } });
  });
});

describe("the access that the person picks for a tab", () => {
  it("is what the tab gets, whatever else changes before the click", async () => {
    const { page, tabId } = await person.open(person.sites.url("shop.test"));
    const popup = await person.popup(tabId);
    await popup.locator("#this-tab select").selectOption("site");
    // The row is built again, because the title is part of it.
    await page.evaluate("document.title = 'another title'");
    await until(async () => (await popup.locator("#this-tab").textContent())?.includes("another title"));
    expect(await popup.locator("#this-tab select").inputValue()).toBe("site");
    await popup.locator("#this-tab button.primary").click();
    const [tab] = await until(() => {
      const tabs = person.stage.hub.relay.tabs();
      return tabs.length > 0 && tabs;
    });
    expect(tab?.access).toEqual({ level: "site", site: "shop.test" });
  });
});

describe("a page that Playwright works in (first use 3)", () => {
  it("stays usable when read-only is switched on and off", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    await person.share(tabId, "full");
    const browser = await person.stage.playwright();
    const page = await until(() => browser.contexts()[0]?.pages()[0]);
    await page.evaluate("window.kept = 1");
    for (let i = 0; i < 2; i++) {
      await person.share(tabId, "read-only");
      await expect(page.click("#on", { timeout: 5_000 })).rejects.toThrow();
      expect(await page.title()).toBe("shop.test /");
      await person.share(tabId, "full");
      expect(await page.evaluate("window.kept")).toBe(1);
      expect(await page.textContent("h1")).toBe("shop.test");
    }
    await page.click("#on");
    await until(async () => (await page.title()) === "shop.test /next");
  });
});

describe("Stop in the popup (first use 15)", () => {
  it("takes the tab at once, and agents are notified that the person did it", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    await person.share(tabId, "full");
    const { client, session } = await person.attach(tabId);
    await client.result("Runtime.evaluate", { expression: "1" }, session);
    const popup = await person.popup(tabId);
    await until(() => popup.getByText("Mallory 1.0", { exact: false }).first().isVisible());
    await popup.locator("#using").getByRole("button", { name: "Stop sharing shop.test /" }).click();
    await until(() => person.stage.hub.relay.tabs().length === 0);
    const reason = "the person stopped sharing this tab in the extension's popup";
    const { error } = await client.ask("Runtime.evaluate", { expression: "1" }, session);
    expect(error?.message).toContain(reason);
    const { url, token } = person.stage.hub;
    const response = await fetch(`${url}/v1/sessions/tab-${tabId}/commands`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ type: "request_ui_tree" }),
    });
    expect(JSON.stringify(await response.json())).toContain(reason);
  });

  it("takes all tabs with one click, also when all are shared", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    const popup = await person.popup(tabId);
    await popup.check("#share-all");
    await until(() => person.stage.hub.relay.tabs().length >= 2);
    await popup.click("#stop-all");
    await until(() => person.stage.hub.relay.tabs().length === 0);
    await until(() => popup.locator("#share-chosen").isChecked());
    const { page } = await person.open(person.sites.url("mail.test"));
    expect(await page.title()).toBe("mail.test /");
    expect(person.stage.hub.relay.tabs()).toEqual([]);
  });
});
