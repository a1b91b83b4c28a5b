/// <reference types="chrome" />
import type { TabAccess } from "@debug-bridge/protocol";
import type { AgentTab } from "../debugger/agents-view.js";
import type { FromPopup } from "../port-messages.js";
import { button, element, fillList, label, showText } from "./dom.js";
import { type PopupView, sortTabs, tabLine } from "./view.js";

type Send = (message: FromPopup) => void;

const LEVELS: readonly (readonly [TabAccess["level"], string])[] = [
  ["full", "Full access"],
  ["read-only", "Read-only"],
  ["site", "This site only"],
];

/** What the person picked for a tab that is not shared yet. It stays when the row is built again. */
const picked = new Map<number, TabAccess["level"]>();

/** Shows the current tab, the shared ones and the others. */
export function renderTabs(
  { agentTabs, settings, picks }: PopupView,
  current: number | undefined,
  send: Send,
): void {
  closeToPick(picks);
  const { shared, others } = sortTabs(agentTabs, current);
  const tab = agentTabs.find(({ tabId }) => tabId === current);
  fillList("this-tab", tab ? [{ tab, access: settings.access }] : [], ({ tab: each, access }) =>
    currentCells(each, access, send),
  );
  showText(
    "this-tab-note",
    tab?.restricted ? `Agents cannot use this tab: it is ${tab.restricted}.` : undefined,
  );
  const using = shared.filter(({ clients }) => clients.length > 0);
  element("stop-all").hidden = shared.length === 0;
  showText("nobody", using.length === 0 ? "No agent is attached to a tab now." : undefined);
  fillList("using", using, (each) => [
    nameOf(each, each.clients.join(", ")),
    button("Stop", `Stop sharing ${titleOf(each)}`, () => send({ kind: "stop", tabId: each.tabId })),
  ]);
  element("shared-count").textContent = String(shared.length);
  fillList("shared-tabs", shared, (each) => sharedCells(each, send));
  element("others").hidden = others.length === 0;
  element("other-count").textContent = String(others.length);
  fillList("other-tabs", others, (each) => [
    nameOf(each, each.site),
    button("Share", `Share ${titleOf(each)}`, () => send({ kind: "share", tabId: each.tabId })),
  ]);
}

function currentCells(tab: AgentTab, initial: TabAccess, send: Send): HTMLElement[] {
  if (tab.restricted) return [nameOf(tab, tab.site)];
  if (tab.access)
    return [nameOf(tab, tabLine(tab)), pickButton(tab, send), ...sharedControls(tab, tab.access, send)];
  const level = picked.get(tab.tabId) ?? initial.level;
  const choice = accessSelect(tab, { level }, (other) => picked.set(tab.tabId, other));
  const share = button("Share with agents", `Share ${titleOf(tab)} with agents`, () =>
    send({ kind: "share", tabId: tab.tabId, access: { level: choice.value as TabAccess["level"] } }),
  );
  share.className = "primary";
  return [nameOf(tab, tab.site), choice, share];
}

/** How many picks had begun when the person asked for one here. */
let picksBefore: number | undefined;
let picksNow = 0;

function pickButton(tab: AgentTab, send: Send): HTMLElement {
  return button("Pick an element", `Pick an element of ${titleOf(tab)} for agents`, () => {
    picksBefore = picksNow;
    send({ kind: "pick", tabId: tab.tabId });
  });
}

/** The popup covers a part of the page: it closes once the person can pick, and stays when they cannot. */
function closeToPick({ started } = { started: 0 }): void {
  picksNow = started;
  const isPopup = !new URLSearchParams(location.search).has("tab");
  if (picksBefore !== undefined && started > picksBefore && isPopup) window.close();
}

function sharedCells(tab: AgentTab, send: Send): HTMLElement[] {
  return tab.access ? [nameOf(tab, tabLine(tab)), ...sharedControls(tab, tab.access, send)] : [];
}

function sharedControls(tab: AgentTab, access: TabAccess, send: Send): HTMLElement[] {
  const { tabId } = tab;
  return [
    accessSelect(tab, access, (level) => send({ kind: "share", tabId, access: { level } })),
    button("Stop", `Stop sharing ${titleOf(tab)}`, () => send({ kind: "stop", tabId })),
  ];
}

/** The choice of what agents may do in a tab. */
function accessSelect(
  tab: AgentTab,
  access: TabAccess,
  onChoice: (level: TabAccess["level"]) => void,
): HTMLSelectElement {
  const select = document.createElement("select");
  select.setAttribute("aria-label", `Access to ${titleOf(tab)}`);
  for (const [level, text] of LEVELS) select.add(new Option(text, level, false, level === access.level));
  select.addEventListener("change", () => {
    onChoice(select.value as TabAccess["level"]);
  });
  return select;
}

/** Icon, title and one quiet line. */
function nameOf(tab: AgentTab, line: string): HTMLElement {
  const cell = document.createElement("div");
  cell.className = "name";
  const icon = document.createElement("img");
  icon.src = chrome.runtime.getURL(`/_favicon/?pageUrl=${encodeURIComponent(tab.url)}&size=16`);
  icon.alt = "";
  icon.width = 16;
  icon.height = 16;
  cell.append(icon, label(titleOf(tab), tab.url), label(line, line, "quiet"));
  return cell;
}

function titleOf({ title, url }: AgentTab): string {
  return title || url;
}
