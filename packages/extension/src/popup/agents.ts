import type { AgentTab } from "../debugger/agents-view.js";
import type { FromPopup } from "../port-messages.js";
import { parseHost } from "../settings/access.js";
import type { SettingsChange } from "../settings/settings.js";
import { button, element, fillList, label, setUnlessFocused, showProblem } from "./dom.js";
import { type PopupView, tabLine } from "./view.js";

type Send = (message: FromPopup) => void;

/** Connects the controls for agents. Each sends only its own change; the worker's settings are the only copy. */
export function listenToAgentControls(change: (set: SettingsChange) => void): void {
  for (const mode of ["automatic", "manual"] as const)
    element(`mode-${mode}`).addEventListener("change", () => change({ mode }));
  const readOnly = element<HTMLInputElement>("read-only");
  readOnly.addEventListener("change", () => change({ readOnly: readOnly.checked }));
  const visible = element<HTMLInputElement>("visible");
  visible.addEventListener("change", () => change({ visible: visible.checked }));
  const lock = element<HTMLInputElement>("lock");
  element<HTMLFormElement>("lock-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const isValid = lock.value.trim() === "" || parseHost(lock.value) !== undefined;
    showProblem("lock-problem", lock, isValid ? undefined : `"${lock.value}" is not a host; use example.com`);
    if (isValid) change({ site: lock.value });
  });
}

/** Shows what agents may do, and the tabs with those that agents use first. */
export function renderAgents({ settings, agentTabs }: PopupView, send: Send): void {
  const { access } = settings;
  element<HTMLInputElement>(`mode-${access.mode}`).checked = true;
  element<HTMLInputElement>("read-only").checked = access.readOnly;
  element<HTMLInputElement>("visible").checked = access.visible;
  setUnlessFocused("lock", access.site ?? "");
  const sorted = [...agentTabs].sort((a, b) => b.clients.length - a.clients.length);
  fillList("agent-tabs", sorted, (tab) => cellsOf(tab, send));
}

function cellsOf(tab: AgentTab, send: Send): HTMLElement[] {
  const name = tab.title || tab.url;
  const cells = [label(name, tab.url), label(tabLine(tab), tabLine(tab), "quiet")];
  if (tab.restricted) return cells;
  const [text, kind] = tab.offered ? (["Revoke", "revoke"] as const) : (["Hand over", "hand-over"] as const);
  return [...cells, button(text, `${text} ${name}`, () => send({ kind, tabId: tab.tabId }))];
}
