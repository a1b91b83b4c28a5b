/// <reference types="chrome" />
import { type FromPopup, POPUP_PORT } from "../port-messages.js";
import { addressProblem } from "../worker/settings.js";
import { isLoopback, patternOf } from "../worker/sites.js";
import { AgentsPart } from "./agents.js";
import { type PopupView, problemLine, siteName, statusLine } from "./view.js";

const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const addressInput = element<HTMLInputElement>("address");
let view: PopupView | undefined;
let pageUrl: string | undefined;
let port = connect();

/** The worker may stop while the popup is open; asking again starts it. */
function connect(): chrome.runtime.Port {
  const opened = chrome.runtime.connect({ name: POPUP_PORT });
  opened.onMessage.addListener((message: PopupView) => {
    view = message;
    render();
  });
  opened.onDisconnect.addListener(() => {
    port = connect();
  });
  return opened;
}

function say(message: FromPopup): void {
  port.postMessage(message);
}

const agents = new AgentsPart(say);

function render(): void {
  if (!view) return;
  agents.render(view.agents);
  const { connection, address, tabs } = view;
  element("status").dataset.status = connection.status;
  element("status-text").textContent = statusLine(connection, Date.now());
  show("upgrade", connection.upgrade);
  show("problem", connection.upgrade ? undefined : problemLine(connection, address));
  element("retry").hidden = connection.status === "connected" || connection.status === "connecting";
  element("latency").textContent = connection.latencyMs === undefined ? "–" : `${connection.latencyMs} ms`;
  element("version").textContent = connection.hubVersion ?? "–";
  element("errors").textContent = String(connection.messageErrors);
  element("tab-count").textContent = `(${tabs.length})`;
  fill("tabs", tabs, ({ title, url }) => [label(title || url, url)]);
  if (document.activeElement !== addressInput) addressInput.value = address;
  renderSites(view.sites);
}

function renderSites(sites: readonly string[]): void {
  const pattern = pageUrl === undefined ? undefined : patternOf(pageUrl);
  const chosen = pattern !== undefined && sites.includes(pattern);
  element("add-site").hidden = pattern === undefined || chosen || isLoopback(pageUrl ?? "");
  element("site").textContent =
    pattern === undefined
      ? "This page cannot be captured."
      : isLoopback(pageUrl ?? "")
        ? `${siteName(pattern)} is captured, as all pages of this machine are.`
        : `${siteName(pattern)} is ${chosen ? "" : "not "}captured.`;
  fill("sites", sites, (site) => {
    const remove = document.createElement("button");
    remove.type = "button";
    remove.textContent = "Remove";
    remove.setAttribute("aria-label", `Stop capturing ${siteName(site)}`);
    remove.addEventListener("click", () => say({ kind: "remove-site", pattern: site }));
    return [label(siteName(site), site), remove];
  });
}

function show(id: string, text: string | undefined): void {
  const target = element(id);
  target.hidden = text === undefined;
  if (target.textContent !== (text ?? "")) target.textContent = text ?? "";
}

function label(text: string, title: string): HTMLElement {
  const span = document.createElement("span");
  span.textContent = text;
  span.title = title;
  return span;
}

/** Rebuilds a list only when it changed, so that the focus stays where it is. */
function fill<Item>(id: string, items: readonly Item[], cells: (item: Item) => HTMLElement[]): void {
  const list = element(id);
  const mark = JSON.stringify(items);
  if (list.dataset.items === mark) return;
  list.dataset.items = mark;
  list.replaceChildren(
    ...items.map((item) => {
      const row = document.createElement("li");
      row.append(...cells(item));
      return row;
    }),
  );
}

element("retry").addEventListener("click", () => say({ kind: "retry" }));
element("add-site").addEventListener("click", async () => {
  const pattern = pageUrl === undefined ? undefined : patternOf(pageUrl);
  if (pattern === undefined) return;
  // Chrome asks the person; the question must come straight from the click.
  if (!(await chrome.permissions.request({ origins: [pattern] }))) return;
  say({ kind: "add-site", pattern });
  element("reload-hint").hidden = false;
});
element<HTMLFormElement>("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const address = addressInput.value.trim();
  const problem = addressProblem(address);
  show("address-problem", problem);
  addressInput.setAttribute("aria-invalid", String(problem !== undefined));
  if (problem === undefined) say({ kind: "set-address", address });
});
void chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
  pageUrl = tab?.url;
  render();
});
setInterval(render, 500);
