/// <reference types="chrome" />
/** The extension's worker. Chrome may stop and start it at any time, so every listener is added in the first turn. */
import { relayUrl } from "../connection/address.js";
import { ConnectionManager } from "../connection/manager.js";
import { CodePairing } from "../connection/pairing.js";
import { PairingKeys } from "../connection/pairing-keys.js";
import type { SocketLike } from "../connection/wire.js";
import { readClientInfo } from "../console/client-info.js";
import { ConsoleWire } from "../console/console-wire.js";
import { EventForwarder } from "../console/event-forwarder.js";
import { DebuggerService } from "../debugger/service.js";
import { servePanel } from "../picking/panel-server.js";
import { PICK_COMMAND } from "../picking/pick-for-agents.js";
import { type FromPage, KEEP_ALIVE_PORT, PAGE_PORT, PANEL_PORT, POPUP_PORT } from "../port-messages.js";
import { registerScripts } from "../settings/script-registration.js";
import { isCaptured } from "../settings/sites.js";
import { SettingsStore } from "../settings/store.js";
import { showBadge } from "./badge.js";
import { loadConnections, saveConnections } from "./connection-memory.js";
import { PopupServer } from "./popup-server.js";
import { wakePages } from "./wake-pages.js";

const ALARM = "relay";
const ALARM_MINUTES = 0.5;

const settings = new SettingsStore((changed) => {
  if (changed.has("hub") || changed.has("otherHubs"))
    connections.setHub(settings.current.hub, settings.current.otherHubs);
  if (changed.has("sites")) void updateScripts();
  if (changed.has("access") || changed.has("share")) debuggerService.onAccessChanged();
  popups.broadcast();
});
const pairingKeys = new PairingKeys(() => connections.onPairingChanged());
const openSocket = (url: string): SocketLike => new WebSocket(url) as unknown as SocketLike;
const pairing = new CodePairing({
  openSocket,
  url: () => relayUrl(settings.current.hub),
  store: (key) => pairingKeys.store(key),
  onChange: () => popups.broadcast(),
  keepAwake: () => void chrome.runtime.getPlatformInfo(),
});
const consoleWire = new ConsoleWire({
  clientInfo: readClientInfo,
  onReady: () => {
    forwarder.start();
    void wakePages();
  },
  onLost: () => forwarder.stop(),
  onDetails: () => popups.broadcast(),
  logError: (text) => console.error(`Debug Bridge: ${text}`),
});
const forwarder = new EventForwarder(consoleWire);
const debuggerService: DebuggerService = new DebuggerService({
  settings: () => settings.current,
  change: (change) => settings.set(change),
  onChange: () => {
    updateBadge();
    popups.broadcast();
  },
});
const connections: ConnectionManager = new ConnectionManager(
  { console: consoleWire, relay: debuggerService.wire },
  {
    pairing: pairingKeys,
    openSocket,
    load: loadConnections,
    save: saveConnections,
    onChange: () => {
      updateBadge();
      popups.broadcast();
    },
    debug: (text) => console.debug(`Debug Bridge: ${text}`),
  },
);
const popups: PopupServer = new PopupServer(
  { settings, connections, pairing, consoleWire, forwarder, debuggerService },
  (sites) => chrome.permissions.remove({ origins: sites }),
);

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.id !== chrome.runtime.id) return;
  if (port.name === PAGE_PORT) acceptPage(port);
  // A content script has the same id, but the address of its page. Only our own pages may change settings.
  else if (!port.sender.url?.startsWith(chrome.runtime.getURL(""))) port.disconnect();
  else if (port.name === POPUP_PORT) popups.accept(port);
  else if (port.name === PANEL_PORT) servePanel(port, debuggerService);
  else if (port.name === KEEP_ALIVE_PORT) connections.wakeRelay();
});
chrome.commands.onCommand.addListener((command, tab) => {
  if (command !== PICK_COMMAND || tab?.id === undefined) return;
  void popups.pick(tab.id).then((isPicking) => {
    // The popup shows what is in the way, and shares the tab.
    if (!isPicking) chrome.action.openPopup?.().catch(() => {});
  });
});
chrome.runtime.onInstalled.addListener(() => void updateScripts());
chrome.runtime.onStartup.addListener(() => void updateScripts());
chrome.runtime.onSuspend.addListener(() => connections.close("Chrome stopped the extension's worker"));
chrome.runtime.onSuspendCanceled.addListener(() => connections.retry());
chrome.permissions.onRemoved.addListener(() => void updateScripts());
chrome.tabs.onActivated.addListener(() => connections.wake());
chrome.tabs.onUpdated.addListener((tabId, change) => {
  forwarder.documents.updateTab(tabId, change);
  if (change.status === "loading") connections.wake();
});
chrome.alarms.onAlarm.addListener(({ name }) => {
  if (name === ALARM) connections.wakeRelay();
});
void chrome.alarms.get(ALARM).then((known) => {
  if (!known) void chrome.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
});
void Promise.all([settings.loaded, debuggerService.loaded, pairingKeys.loaded]).then(() =>
  connections.start(settings.current.hub, settings.current.otherHubs),
);

function updateBadge(): void {
  const { waiting, questions } = debuggerService.decisions;
  void showBadge(connections.states, waiting.length + questions.length);
}

function acceptPage(port: chrome.runtime.Port): void {
  const document = forwarder.documents.connect(port);
  if (!document) return;
  port.onMessage.addListener((message: FromPage) => forwarder.receive(document, message));
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError;
    forwarder.documents.disconnect(document, port);
    popups.broadcast();
  });
  popups.broadcast();
}

/** Registers the scripts for the captured sites, and stops them in pages of other sites. */
async function updateScripts(): Promise<void> {
  await settings.loaded;
  const permitted = await registerScripts(settings.current.sites);
  for (const document of forwarder.documents.live()) {
    const { url } = document.place;
    if (/^https?:/.test(url) && !isCaptured(url, permitted)) document.post({ kind: "stop" });
  }
  popups.broadcast();
}
