/// <reference types="chrome" />

import { summarize } from "../connection/summary.js";
import { type FromPopup, POPUP_PORT } from "../port-messages.js";
import type { SettingsChange } from "../settings/settings.js";
import { isLoopback, patternOf } from "../settings/sites.js";
import { listenToAgentControls, renderAgents } from "./agents.js";
import { button, element, fillList, label, showText } from "./dom.js";
import { listenToHubForm, renderHub } from "./hub-form.js";
import { renderPairing } from "./pairing.js";
import { renderQuestions } from "./questions.js";
import { renderTabs } from "./tabs.js";
import { type PopupView, problemLine, siteName, statusLine, wireLines } from "./view.js";

const COUNTDOWN_MS = 500;
let view: PopupView | undefined;
/** The tab in front; `?tab=` names another. */
let pageTab: number | undefined;
let pageUrl: string | undefined;
let pageWindow: number | undefined;
/** How many changes were sent to this worker. */
let sentChanges = 0;
let port = connect();

/** The worker may stop while the popup is open. Connecting again starts it. */
function connect(): chrome.runtime.Port {
  const opened = chrome.runtime.connect({ name: POPUP_PORT });
  sentChanges = 0;
  opened.onMessage.addListener((message: PopupView) => {
    view = message;
    render(message);
  });
  opened.onDisconnect.addListener(() => {
    port = connect();
  });
  return opened;
}

function send(message: FromPopup): void {
  port.postMessage(message);
}

function change(set: SettingsChange): void {
  send({ kind: "set", set, number: ++sentChanges });
}

/** Controls change only here, when the worker has reported its state. */
function render(current: PopupView): void {
  renderStatus(current);
  // This state is older than what the person has just chosen. A newer one follows when that is stored.
  if (current.storedChange < sentChanges) return;
  renderQuestions(current, pageTab, send);
  renderTabs(current, pageTab, send);
  renderAgents(current, send);
  renderHub(current);
  const { capturedTabs } = current;
  element("tab-count").textContent = String(capturedTabs.length);
  fillList("tabs", capturedTabs, ({ title, url }) => [label(title || url, url)]);
  renderSites(current.settings.sites);
}

/** The lines that change with time. */
function renderStatus(current: PopupView): void {
  const now = Date.now();
  const status = summarize(current.connections);
  const advice =
    current.connections.console.status === "incompatible" ? current.connections.console.advice : undefined;
  element("status").dataset.status = status;
  element("status-text").textContent = statusLine(current, now);
  fillList("wires", wireLines(current, now), (line) => [label(line, line)]);
  showText("upgrade", advice);
  showText("problem", advice ? undefined : problemLine(current));
  const { console, relay } = current.connections;
  const isUnpaired = console.status === "unpaired" || relay.status === "unpaired";
  renderPairing({ pairing: current.pairing, isUnpaired }, send);
  element("retry").hidden = status === "connected" || status === "connecting";
}

function renderSites(sites: readonly string[]): void {
  const pattern = pageUrl === undefined ? undefined : patternOf(pageUrl);
  const isChosen = pattern !== undefined && sites.includes(pattern);
  element("add-site").hidden = pattern === undefined || isChosen || isLoopback(pageUrl ?? "");
  element("site").textContent =
    pattern === undefined
      ? "off: this page cannot be captured"
      : isLoopback(pageUrl ?? "")
        ? `on for ${hostName(pattern)}, as for all pages on this machine`
        : `${isChosen ? "on" : "off"} for ${hostName(pattern)}`;
  fillList("sites", sites, (site) => [
    label(siteName(site), site),
    button("Remove", `Stop capturing ${siteName(site)}`, () => change({ removeSite: site })),
  ]);
}

function hostName(pattern: string): string {
  return siteName(pattern).replace(/^https?:\/\//, "");
}

listenToAgentControls(change, send);
listenToHubForm(change);
element("retry").addEventListener("click", () => send({ kind: "retry" }));
element("open-chat").addEventListener("click", () => {
  // Chrome opens the panel only within the click, so the window has to be known before.
  if (pageWindow !== undefined) void chrome.sidePanel.open({ windowId: pageWindow }).then(() => close());
});
element("add-site").addEventListener("click", async () => {
  const pattern = pageUrl === undefined ? undefined : patternOf(pageUrl);
  if (pattern === undefined) return;
  // Chrome asks the person, and allows the question only in response to a click.
  if (!(await chrome.permissions.request({ origins: [pattern] }))) return;
  change({ addSite: pattern });
  element("reload-hint").hidden = false;
});
const named = Number(new URLSearchParams(location.search).get("tab") ?? Number.NaN);
void (
  Number.isNaN(named)
    ? chrome.tabs.query({ active: true, currentWindow: true })
    : chrome.tabs.get(named).then((tab) => [tab])
).then(([tab]) => {
  pageTab = tab?.id;
  pageUrl = tab?.url;
  pageWindow = tab?.windowId;
  if (view) render(view);
});
setInterval(() => {
  if (view) renderStatus(view);
}, COUNTDOWN_MS);
