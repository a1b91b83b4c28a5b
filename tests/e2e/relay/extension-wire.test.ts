import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { decode, extensionMessageSchema } from "@debug-bridge/protocol/schemas";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { ROOT, until } from "../../fixtures.js";
import { proveAsHub } from "../../support/chrome/pairing.js";
import { type Site, startSite } from "./site.js";
import { Person } from "./stage.js";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: string;
}
interface TabInfo {
  readonly tabId: number;
  readonly url: string;
  readonly targetId?: string;
}

let site: Site;
let person: Person;
let server: WebSocketServer;
let socket: WebSocket | undefined;
const messages: Message[] = [];
const invalid: string[] = [];
let origin: string | undefined;
let nextId = 1;

beforeAll(async () => {
  site = await startSite();
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", async (connected, request) => {
    ({ origin } = request.headers);
    await proveAsHub(connected, "relay", `127.0.0.1:${(server.address() as { port: number }).port}`);
    socket = connected;
    connected.on("message", (data) => {
      const decoded = decode(extensionMessageSchema, String(data), EXTENSION_MESSAGE_LIMITS);
      if (!decoded.ok) invalid.push(`${String(data).slice(0, 200)}: ${decoded.error.message}`);
      messages.push(JSON.parse(String(data)));
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  person = await Person.start(`ws://127.0.0.1:${(server.address() as { port: number }).port}`, [
    site.url("/"),
  ]);
  await until(() => messages.some(({ method }) => method === "hello"));
});
afterAll(async () => {
  await person?.close();
  server?.close();
  await site?.close();
});

async function ask(method: string, params: object = {}): Promise<Message> {
  const id = nextId++;
  socket?.send(JSON.stringify({ id, method, params }));
  return until(() => messages.find((message) => message.id === id));
}
const cdp = (tabId: number, method: string, params: object = {}): Promise<Message> =>
  ask("cdpCommand", { tabId, method, params });
async function homeTab(): Promise<TabInfo> {
  return until(async () =>
    ((await ask("listTabs")).result as TabInfo[]).find(({ url }) => url === site.url("/")),
  );
}
const events = (name: string): Record<string, unknown>[] =>
  messages
    .filter(({ method, params }) => method === "cdpEvent" && params?.method === name)
    .map(({ params }) => params ?? {});

describe("the extension on its wire", () => {
  it("[REL-008] lists the tabs that can be debugged, with the target ids that CDP gives them", async () => {
    await person.open("chrome://version/");
    await homeTab();
    const tabs = (await ask("listTabs")).result as TabInfo[];
    expect(tabs.map(({ url }) => url)).toEqual([site.url("/")]);
    const targets = (await person.targets()).map(({ id }) => id);
    expect(targets).toContain(tabs[0]?.targetId);
    expect(origin).toMatch(/^chrome-extension:\/\//);
  });

  it("[REL-009, REL-013, REL-014, REL-017] attaches, runs commands, and reports events", async () => {
    const { tabId } = await homeTab();
    const refused = await cdp(tabId, "Runtime.evaluate", { expression: "1" });
    expect(refused.error).toMatch(/no debugger is attached to tab \d+; send attachTab first/);
    await Promise.all([
      ask("attachTab", { tabId, sessionId: "a" }),
      ask("attachTab", { tabId, sessionId: "b" }),
    ]);
    const answer = await cdp(tabId, "Runtime.evaluate", { expression: "6 * 7" });
    expect(answer.result).toMatchObject({ result: { value: 42 } });
    await cdp(tabId, "Page.enable");
    await cdp(tabId, "Page.reload");
    await until(() => events("Page.loadEventFired").length > 0);
    const wrong = await cdp(tabId, "Runtime.evaluate", { expression: "1", contextId: 12345 });
    expect(typeof wrong.error).toBe("string");
    expect((await cdp(tabId, "No.such")).error).toContain("wasn't found");
  });

  it("[REL-026, REL-027] runs Runtime.enable as off, a wait and on, so that contexts are reported again", async () => {
    const { tabId } = await homeTab();
    for (const times of [1, 2]) {
      const before = events("Runtime.executionContextCreated").length;
      const started = Date.now();
      await cdp(tabId, "Runtime.enable");
      expect(Date.now() - started, `time ${times}`).toBeGreaterThanOrEqual(50);
      expect(events("Runtime.executionContextCreated").length).toBeGreaterThan(before);
    }
  });

  it("reports events of a frame of another site under its own session, and runs commands there", async () => {
    const { tabId } = await homeTab();
    await cdp(tabId, "Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
    });
    await cdp(tabId, "Page.navigate", { url: site.url("/frames") });
    const attached = await until(
      () => events("Target.attachedToTarget").at(-1)?.params as { sessionId: string },
    );
    const answer = await ask("cdpCommand", {
      tabId,
      childSessionId: attached.sessionId,
      method: "Runtime.evaluate",
      params: { expression: "location.hostname" },
    });
    expect(answer.result).toMatchObject({ result: { value: "localhost" } });
    await cdp(tabId, "Page.navigate", { url: site.url("/") });
  });

  it("[REL-016] reports changes of tabs", async () => {
    const { tabId } = await homeTab();
    await cdp(tabId, "Page.navigate", { url: site.url("/second") });
    await until(() =>
      messages.some(
        ({ method, params }) =>
          method === "tabUpdated" && params?.tabId === tabId && params.title === "Second",
      ),
    );
    await cdp(tabId, "Page.navigate", { url: site.url("/") });
  });

  it("[REL-010, REL-011, REL-012, REL-015] opens, detaches from and closes tabs", async () => {
    const created = (await ask("createTab", { url: site.url("/second"), sessionId: "c" })).result as TabInfo;
    const where = await cdp(created.tabId, "Runtime.evaluate", { expression: "1" });
    expect(where.result).toMatchObject({ result: { value: 1 } });
    expect((await ask("detachTab", { tabId: created.tabId })).result).toEqual({});
    expect((await cdp(created.tabId, "Runtime.evaluate", { expression: "1" })).error).toContain(
      "attachTab first",
    );
    await ask("attachTab", { tabId: created.tabId, sessionId: "d" });
    const targets = await person.targets();
    const target = targets.find(({ id }) => id === created.targetId);
    await fetch(`${person.endpoint}/json/close/${target?.id}`);
    await until(() =>
      messages.some(({ method, params }) => method === "tabDetached" && params?.tabId === created.tabId),
    );
    const other = (await ask("createTab", { url: "about:blank", sessionId: "e" })).result as TabInfo;
    await ask("closeTab", { tabId: other.tabId });
    const tabs = (await ask("listTabs")).result as TabInfo[];
    expect(tabs.map(({ tabId }) => tabId)).not.toContain(other.tabId);
    expect((await ask("createTab", { url: "chrome://settings/", sessionId: "f" })).error).toContain(
      "not_supported",
    );
    expect((await ask("attachTab", { tabId: 999_999, sessionId: "g" })).error).toContain("target_not_found");
    expect((await ask("dance")).error).toContain("unknown_type");
  });

  it("[REL-028] answers ping with pong", async () => {
    const before = messages.filter(({ method }) => method === "pong").length;
    socket?.send('{"method":"ping"}');
    await until(() => messages.filter(({ method }) => method === "pong").length > before);
  });

  it("[REL-029] has an alarm that wakes its worker every 30 seconds, and listens to it", async () => {
    expect(await person.inWorker("chrome.alarms.onAlarm.hasListeners()")).toBe(true);
    expect(await person.inWorker("chrome.alarms.get('relay').then((alarm) => alarm.periodInMinutes)")).toBe(
      0.5,
    );
  });

  it("comes back after its connection broke", async () => {
    const before = messages.filter(({ method }) => method === "hello").length;
    socket?.terminate();
    await until(() => messages.filter(({ method }) => method === "hello").length > before);
  });

  it("sends nothing that the wire does not allow", () => expect(invalid).toEqual([]));

  it("[REL-072] is MV3 and asks for what it needs", () => {
    const manifest = JSON.parse(
      readFileSync(join(ROOT, "packages/extension/dist/unpacked/manifest.json"), "utf8"),
    ) as { manifest_version: number; permissions: string[] };
    expect(manifest.manifest_version).toBe(3);
    expect(manifest.permissions).toEqual(expect.arrayContaining(["debugger", "tabs", "storage", "alarms"]));
  });
});

describe("the popup", () => {
  it("[REL-073, REL-074] shows the connection and the tabs, takes a tab back, and changes the relay's address", async () => {
    const browser = await chromium.connectOverCDP(person.endpoint);
    try {
      const id = new URL(String(origin)).hostname;
      const page = await browser.contexts()[0]?.newPage();
      await page?.goto(`chrome-extension://${id}/popup.html`);
      await until(async () => (await page?.locator("#wires").textContent())?.includes("Agents: Connected"));
      const shared = page?.locator("#shared-tabs li", { hasText: "Home" });
      await until(async () => (await shared?.textContent())?.includes("full access"));
      await shared?.getByRole("button", { name: "Stop sharing Home" }).click();
      await until(() =>
        messages.some(({ method, params }) => method === "tabClosed" && params?.reason === "stopped"),
      );
      await page?.locator("#others summary").click();
      await page?.getByRole("button", { name: "Share Home" }).click();
      await until(async () => (await shared?.textContent())?.includes("full access"));
      await page?.locator("#settings > summary").click();
      await page?.check("#access-read-only");
      await until(() =>
        person.inWorker("chrome.storage.local.get('access').then((s) => s.access?.level === 'read-only')"),
      );
      await page?.check("#access-full");
      await page?.fill("#address", "http://x");
      await page?.locator("#hub-form button").click();
      expect(await page?.locator("#hub-problem").textContent()).toContain("ws://");
      await page?.fill("#address", "127.0.0.1");
      await page?.fill("#relay-port", "7");
      await page?.locator("#hub-form button").click();
      await until(
        async () =>
          (await person.inWorker("chrome.storage.local.get('hub').then((s) => s.hub?.relayPort)")) === 7,
      );
      await page?.close();
    } finally {
      await browser.close();
    }
  });
});
