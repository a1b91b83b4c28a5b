import type { TabAccess } from "@debug-bridge/protocol";
import type { FromPopup } from "../port-messages.js";
import { parseHost } from "../settings/access.js";
import type { SettingsChange } from "../settings/settings.js";
import { button, element, fillList, label, setUnlessFocused, showProblem } from "./dom.js";
import type { PopupView } from "./view.js";

const LEVELS = ["full", "read-only", "site"] as const;

/** Connects the settings for agents. Each sends only its own change; the worker's settings are the only copy. */
export function listenToAgentControls(
  change: (set: SettingsChange) => void,
  send: (message: FromPopup) => void,
): void {
  for (const share of ["chosen", "all"] as const)
    element(`share-${share}`).addEventListener("change", () => change({ share }));
  for (const level of LEVELS)
    element(`access-${level}`).addEventListener("change", () => change({ access: { level } }));
  const visible = element<HTMLInputElement>("visible");
  visible.addEventListener("change", () => change({ visible: visible.checked }));
  const lock = element<HTMLInputElement>("lock");
  element<HTMLFormElement>("lock-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const site = parseHost(lock.value);
    const isValid = lock.value.trim() === "" || site !== undefined;
    showProblem("lock-problem", lock, isValid ? undefined : `"${lock.value}" is not a host; use example.com`);
    if (isValid) change({ access: { level: "site", ...(site === undefined ? {} : { site }) } });
  });
  element("stop-all").addEventListener("click", () => send({ kind: "stop-all" }));
}

/** Shows the settings for agents and what they are always allowed to do. */
export function renderAgents(
  { settings, dashboardUrl }: PopupView,
  send: (message: FromPopup) => void,
): void {
  const { share, access, visible, grants } = settings;
  element<HTMLInputElement>(`share-${share}`).checked = true;
  element<HTMLInputElement>(`access-${access.level}`).checked = true;
  element("lock-form").hidden = access.level !== "site";
  setUnlessFocused("lock", lockText(access));
  element<HTMLInputElement>("visible").checked = visible;
  const remembered = Object.entries(grants);
  element("remembered-title").hidden = remembered.length === 0;
  fillList("remembered", remembered, ([client, list]) => [
    label(`${client}: ${list.join(", ")}`, list.join(", ")),
    button("Forget", `Take everything back from ${client}`, () => send({ kind: "forget-client", client })),
  ]);
  const link = element<HTMLAnchorElement>("dashboard");
  link.hidden = dashboardUrl === undefined;
  if (dashboardUrl !== undefined) link.href = dashboardUrl;
}

function lockText({ site }: TabAccess): string {
  return site ?? "";
}
