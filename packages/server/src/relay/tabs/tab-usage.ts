import type { TabAccess } from "@debug-bridge/protocol";
import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import type { LossReason } from "./sharing.js";
import type { Tab } from "./tab.js";

/** What happens to tabs, for the rest of the hub. */
export interface TabEvent {
  readonly type: "opened" | "updated" | "wanted" | "attached" | "detached" | "closed";
  readonly tab: TabSummary;
}

export interface TabSummary {
  readonly tabId: number;
  readonly targetId: string;
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
  /** The target of the tab that opened it. */
  readonly openerId?: string | undefined;
  readonly attached: boolean;
  /** The clients that work in it. */
  readonly clients: readonly string[];
  /** What the person lets agents do in it. */
  readonly access?: TabAccess | undefined;
  /** Why agents lost it, when it still exists. */
  readonly lossReason?: LossReason | undefined;
}

/** Which clients work in which tab: reported to the person through the extension, and to the rest of the hub. */
export class TabUsage {
  constructor(
    private readonly relay: RelayCore,
    private readonly onTab: (event: TabEvent) => void,
  ) {}

  /** A client works in a tab from now on. */
  onAttached({ tab, client }: ClientSession): void {
    if (!tab) return;
    if (!client.follows) this.reportTab("attached", tab);
    this.reportUsage(tab);
  }

  summaries(): TabSummary[] {
    return [...this.relay.tabs.values()].map((tab) => this.summary(tab));
  }

  reportTab(type: TabEvent["type"], tab: Tab): void {
    this.onTab({ type, tab: this.summary(tab) });
  }

  reportUsage(tab: Tab): void {
    const { clients } = this.summary(tab);
    const usage = JSON.stringify(clients);
    if (tab.usage === usage || (tab.usage === "" && clients.length === 0)) return;
    tab.usage = usage;
    this.relay.extension.notify("tabUsage", { tabId: tab.tabId, clients });
  }

  private summary(tab: Tab): TabSummary {
    const { tabId, targetId, url, title, active, openerId, attachment } = tab;
    const users = [...tab.main.sessions]
      .filter(({ usesPage, client }) => usesPage && !client.follows)
      .map(({ client }) => client.name);
    const attached = attachment === "attached";
    const { access, lossReason } = tab;
    return {
      tabId,
      targetId,
      url,
      title,
      active,
      openerId,
      attached,
      clients: [...new Set(users)],
      access,
      lossReason,
    };
  }
}
