import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import { CdpClient } from "../integration/relay/cdp-client.js";
import { PersonStage } from "./person/stage.js";

let person: PersonStage;
beforeAll(async () => {
  person = await PersonStage.start();
});
afterEach(() => person.reset());
afterAll(() => person?.close());

const BANK = "http://bank.test/";

/** The person shares one tab of the shop, fully, and nothing else. */
async function oneShared(): Promise<{ client: CdpClient; session: string; tabId: number }> {
  await person.open(person.sites.url("bank.test"));
  const { tabId } = await person.open(person.sites.url("shop.test"));
  await person.share(tabId, "full");
  person.sites.seen.length = 0;
  return { tabId, ...(await person.attach(tabId)) };
}

/** Answers the question that a command leads to, as the person. */
async function answer(tabId: number, name: string, remember = false): Promise<void> {
  const popup = await person.popup(tabId);
  await until(() => popup.locator("#grants li").count());
  if (remember) await popup.locator("#grants input").check();
  await popup.getByRole("button", { name }).first().click();
  await popup.close();
}

describe("V6: a client with one shared tab", () => {
  it("sees only that tab", async () => {
    const { client, tabId } = await oneShared();
    const { targetInfos } = await client.result("Target.getTargets");
    const urls = (targetInfos as { type: string; url: string }[]).filter(({ type }) => type === "page");
    expect(urls.map(({ url }) => url)).toEqual([person.sites.url("shop.test")]);
    expect(person.stage.hub.relay.tabs().map((tab) => tab.tabId)).toEqual([tabId]);
  });

  it.each<[string, object, string]>([
    ["Storage.getCookies", {}, "cookies"],
    ["Network.getAllCookies", {}, "cookies"],
    ["Network.getCookies", { urls: [BANK] }, "cookies"],
    ["Network.setCookie", { name: "a", value: "b", url: BANK }, "cookies"],
    ["DOM.setFileInputFiles", { files: ["/etc/passwd"], nodeId: 1 }, "files"],
    ["Browser.grantPermissions", { origin: BANK, permissions: ["videoCapture"] }, "permissions"],
    ["Target.createTarget", { url: BANK }, "new-sites"],
  ])("cannot use %s when the person says no", async (method, params, grant) => {
    const { client, session, tabId } = await oneShared();
    const isBrowser = /^(Browser|Target|Storage)\./.test(method);
    const [{ error, result }] = await Promise.all([
      client.ask(method, params, isBrowser ? undefined : session),
      answer(tabId, `Refuse Mallory 1.0: ${grant}`),
    ]);
    expect(result).toBeUndefined();
    expect(error?.message).toContain(`"grant: ${grant}"`);
    expect(error?.message).toContain("ask the person to allow it in the Debug Bridge popup");
    expect(person.sites.requests("bank.test")).toEqual([]);
  });

  it("gets an ability that the person allows, once; and for good when it is remembered", async () => {
    const { client, session, tabId } = await oneShared();
    const [first] = await Promise.all([
      client.ask("Network.getAllCookies", {}, session),
      answer(tabId, "Allow Mallory 1.0: cookies", true),
    ]);
    expect(JSON.stringify(first.result)).toContain("bank.test");
    const stored = "chrome.storage.local.get('grants').then(({ grants }) => grants)";
    await until(async () => (await person.stage.person.inWorker<object>(stored)) !== undefined);
    expect(await person.stage.person.inWorker(stored)).toEqual({ "Mallory 1.0": ["cookies"] });
    await person.stage.person.stopWorker();
    await person.stage.untilConnected();
    const again = await until(async () => (await client.ask("Network.getAllCookies", {}, session)).result);
    expect(JSON.stringify(again)).toContain("bank.test");
    // Another client has no such grant.
    const other = await CdpClient.connect(person.stage.cdpUrl, { headers: { "user-agent": "Eve/2.0" } });
    const [refused] = await Promise.all([
      other.ask("Storage.getCookies"),
      answer(tabId, "Refuse Eve 2.0: cookies"),
    ]);
    expect(refused.error?.message).toContain('"grant: cookies"');
  });

  it("does not get tabs that its page opens, or that the person opens", async () => {
    const { client, session } = await oneShared();
    const expression = `window.open(${JSON.stringify(person.sites.url("bank.test", "/popup"))}) && 1`;
    await client.result("Runtime.evaluate", { expression, userGesture: true }, session);
    await until(() => person.sites.requests("bank.test").includes("/popup"));
    await person.open(person.sites.url("mail.test"));
    expect(person.stage.hub.relay.tabs()).toHaveLength(1);
  });

  it("may not use the extension's wire for a tab that is not shared", async () => {
    const { tabId } = await person.open(person.sites.url("bank.test"));
    const { client } = await oneShared();
    const { error } = await client.ask("Target.attachToTarget", {
      targetId: `chrome-tab-${tabId}`,
      flatten: true,
    });
    expect(error?.message).toContain("No target with given id");
  });
});
