/// <reference types="chrome" />
/** The extension's worker. Chrome may stop and start it at any time, so every listener is set in the first turn. */
import { DebuggerService } from "../debugger/service.js";
import { KEEPER_PORT } from "../keeper/keeper.js";
import type { PopupView } from "../popup/view.js";
import { type FromPage, type FromPopup, PAGE_PORT, POPUP_PORT, WAKE } from "../port-messages.js";
import { readClientInfo } from "./client-info.js";
import { Courier } from "./courier.js";
import { addressProblem, readSettings } from "./settings.js";
import { isChosen, scriptsFor } from "./sites.js";
import { HubLink, type SocketLike } from "./socket.js";
import type { ConnectionState } from "./state.js";

const popups = new Set<chrome.runtime.Port>();
const hub: HubLink = new HubLink({
  open: (address) => new WebSocket(address) as unknown as SocketLike,
  clientInfo: readClientInfo,
  onState: (state) => {
    void chrome.storage.session.set({ failed: state.status === "failed" });
    void showBadge(state);
    void tellPopups();
  },
  onReady: () => {
    courier.start();
    void wakePages();
  },
  onLost: () => courier.stop(),
  logError: (text) => console.error(`Debug Bridge: ${text}`),
});
const courier = new Courier(hub);
const debuggerService = new DebuggerService(() => void tellPopups());
/** Whether a tab asked for the hub since this worker started, which may be why it started. */
let asked = false;

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return;
  if (port.name === PAGE_PORT) takePage(port);
  else if (port.name === POPUP_PORT) takePopup(port);
  else if (port.name === KEEPER_PORT) debuggerService.wake();
});
chrome.runtime.onInstalled.addListener(() => void registerScripts());
chrome.runtime.onStartup.addListener(() => void registerScripts());
chrome.permissions.onRemoved.addListener(() => void registerScripts());
chrome.tabs.onActivated.addListener(tryAgain);
chrome.tabs.onUpdated.addListener((tabId, change) => {
  courier.documents.retitle(tabId, change);
  if (change.status === "loading") tryAgain();
});
chrome.storage.onChanged.addListener((changes, area) => {
  if (area !== "local") return;
  if (changes.hubAddress) void readSettings().then(({ hubAddress }) => hub.restart(hubAddress));
  if (changes.sites) void registerScripts();
});
void begin();

async function begin(): Promise<void> {
  const { failed } = await chrome.storage.session.get("failed");
  const { hubAddress } = await readSettings();
  // A worker that wakes after all attempts had failed does not begin anew by itself, only for a tab or a person.
  if (failed && !asked) hub.standBy(hubAddress);
  else hub.connect(hubAddress);
}

function tryAgain(): void {
  asked = true;
  hub.nudge();
  debuggerService.wake();
}

function takePage(port: chrome.runtime.Port): void {
  const document = courier.documents.connect(port);
  if (!document) return;
  port.onMessage.addListener((message: FromPage) => courier.receive(document, message));
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError;
    courier.documents.disconnect(document, port);
    void tellPopups();
  });
  void tellPopups();
}

/** Documents that lost their port when a worker stopped have events for the hub that is back. */
async function wakePages(): Promise<void> {
  for (const { id } of await chrome.tabs.query({})) {
    if (id !== undefined) chrome.tabs.sendMessage(id, WAKE).catch(() => {});
  }
}

/** Registers the scripts for the sites that were chosen and are still permitted, and stops those in the others. */
async function registerScripts(): Promise<void> {
  const { sites } = await readSettings();
  const permitted: string[] = [];
  for (const site of sites) if (await chrome.permissions.contains({ origins: [site] })) permitted.push(site);
  const scripts = scriptsFor(permitted);
  const known = new Set((await chrome.scripting.getRegisteredContentScripts()).map(({ id }) => id));
  if (scripts.every(({ id }) => known.has(id))) await chrome.scripting.updateContentScripts(scripts);
  else {
    await chrome.scripting.unregisterContentScripts();
    await chrome.scripting.registerContentScripts(scripts);
  }
  for (const document of courier.documents.live()) {
    if (/^https?:/.test(document.place.url) && !isChosen(document.place.url, permitted))
      document.say({ kind: "stop" });
  }
  await tellPopups();
}

function takePopup(port: chrome.runtime.Port): void {
  popups.add(port);
  port.onDisconnect.addListener(() => popups.delete(port));
  port.onMessage.addListener((message: FromPopup) => void obey(message));
  void tellPopups();
}

async function obey(message: FromPopup): Promise<void> {
  const { hubAddress, sites } = await readSettings();
  switch (message.kind) {
    case "retry":
      return hub.restart(hubAddress);
    case "set-address":
      if (addressProblem(message.address) === undefined)
        await chrome.storage.local.set({ hubAddress: message.address });
      return;
    case "add-site":
      return chrome.storage.local.set({ sites: [...new Set([...sites, message.pattern])] });
    case "set-relay":
      if (addressProblem(message.address) === undefined)
        await chrome.storage.local.set({ relayAddress: message.address });
      return;
    case "set-access":
      return chrome.storage.local.set({ access: message.access });
    case "hand-over":
      return debuggerService.handOver(message.tabId);
    case "revoke":
      return debuggerService.revoke(message.tabId);
    case "remove-site":
      await chrome.storage.local.set({ sites: sites.filter((site) => site !== message.pattern) });
      await chrome.permissions.remove({ origins: [message.pattern] }).catch(() => false);
  }
}

async function tellPopups(): Promise<void> {
  if (popups.size === 0) return;
  const { hubAddress, sites } = await readSettings();
  const ids = new Set(courier.documents.live().map(({ tabId }) => tabId));
  const tabs = [...courier.documents.tabs.values()].filter(({ tabId }) => ids.has(tabId));
  const view: PopupView = {
    connection: hub.state,
    address: hubAddress,
    sites,
    agents: await debuggerService.view(),
    tabs: tabs.map(({ tabId, title, url }) => ({ tabId, title, url })),
  };
  for (const popup of popups) popup.postMessage(view);
}

async function showBadge({ status }: ConnectionState): Promise<void> {
  const text = status === "failed" || status === "incompatible" ? "!" : status === "connected" ? "" : "…";
  await chrome.action.setBadgeText({ text });
}
