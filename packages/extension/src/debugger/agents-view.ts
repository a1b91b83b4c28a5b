/// <reference types="chrome" />
import { restriction, type TabAccess } from "@debug-bridge/protocol";
import { siteOf } from "../settings/access.js";

/** A tab in the popup, with what agents may do there and who uses it. */
export interface AgentTab {
  readonly tabId: number;
  readonly title: string;
  readonly url: string;
  /** The host; for other pages, their scheme. */
  readonly site: string;
  readonly clients: readonly string[];
  /** What the person allows; none when it is not shared. */
  readonly access?: TabAccess;
  /** Whether agents can use it now. A tab that left the site that it is locked to is shared and not offered. */
  readonly offered: boolean;
  /** Why no agent can ever use it. */
  readonly restricted?: string;
}

export interface AgentTabsSource {
  readonly clientsOf: (tabId: number) => readonly string[];
  readonly accessOf: (tabId: number) => TabAccess | undefined;
  readonly isOffered: (tabId: number) => boolean;
}

/** Describes tabs for the popup. */
export function agentTabs(tabs: readonly chrome.tabs.Tab[], source: AgentTabsSource): AgentTab[] {
  return tabs.flatMap(({ id, title = "", url = "" }) => {
    if (id === undefined) return [];
    const access = source.accessOf(id);
    const restricted = restriction(url);
    return {
      tabId: id,
      title,
      url,
      site: siteOf(url) ?? url.split(":", 1)[0] ?? "",
      clients: source.clientsOf(id),
      offered: source.isOffered(id),
      ...(access ? { access } : {}),
      ...(restricted ? { restricted } : {}),
    };
  });
}
