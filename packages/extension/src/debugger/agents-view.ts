/// <reference types="chrome" />
import type { AccessSettings } from "../settings/access.js";
import { forbiddenUrl } from "./access/permit.js";

/** A tab in the popup, with what agents may do and who uses it. */
export interface AgentTab {
  readonly tabId: number;
  readonly title: string;
  readonly url: string;
  readonly clients: readonly string[];
  readonly attached: boolean;
  readonly offered: boolean;
  readonly restricted?: string;
}

export interface AgentTabsSource {
  readonly access: AccessSettings;
  readonly clientsOf: (tabId: number) => readonly string[];
  readonly isAttached: (tabId: number) => boolean;
  readonly isOffered: (tabId: number) => boolean;
}

/** Describes tabs for the popup. */
export function agentTabs(
  tabs: readonly chrome.tabs.Tab[],
  { access, clientsOf, isAttached, isOffered }: AgentTabsSource,
): AgentTab[] {
  return tabs.flatMap(({ id, title = "", url = "" }) => {
    if (id === undefined) return [];
    const forbidden = forbiddenUrl(url, access)?.replace(/^[a-z_]+: /, "");
    return {
      tabId: id,
      title,
      url,
      clients: clientsOf(id),
      attached: isAttached(id),
      offered: isOffered(id),
      ...(forbidden ? { restricted: forbidden } : {}),
    };
  });
}
