/// <reference types="chrome" />
import type { AccessSettings } from "../settings/access.js";
import type { Grants } from "./access/grants.js";
import { forbiddenUrl, readOnlyError } from "./access/permit.js";
import { cancelDownload, findDownload } from "./downloads.js";
import { resetPermissions, setPermissions } from "./permissions.js";
import type { Attachments } from "./tabs/attachments.js";
import type { Indicator } from "./tabs/indicator.js";
import type { TabRegistry } from "./tabs/tab-registry.js";

type Params = Readonly<Record<string, unknown>>;

export interface ExtensionCommandsOptions {
  readonly access: () => AccessSettings;
  readonly tabs: TabRegistry;
  readonly grants: Grants;
  readonly attachments: Attachments;
  readonly indicator: Indicator;
  readonly onChange: () => void;
}

/** Commands that change tabs or settings of the browser. Read-only refuses them. */
const ACTING = new Set([
  "createTab",
  "closeTab",
  "activateTab",
  "setPermissions",
  "resetPermissions",
  "cancelDownload",
]);

/** The commands of the relay that are not CDP: tabs, permissions, downloads. */
export class ExtensionCommands {
  constructor(private readonly options: ExtensionCommandsOptions) {}

  /** Runs a command. Rejects with an error whose text starts with its code. */
  async run(method: string, params: Params): Promise<unknown> {
    if (ACTING.has(method) && this.options.access().readOnly) throw new Error(readOnlyError(method));
    const tabId = Number(params.tabId);
    switch (method) {
      case "listTabs":
        return this.options.tabs.list();
      case "attachTab":
        return this.attachTab(tabId);
      case "detachTab":
        return this.detachTab(tabId);
      case "createTab":
        return this.createTab(String(params.url));
      case "closeTab":
        return this.closeTab(tabId);
      case "activateTab":
        this.assertOffered(tabId);
        await chrome.tabs.update(tabId, { active: true });
        return {};
      case "setPermissions":
        return setPermissions(
          params.origin as string | undefined,
          params.permissions as string[],
          params.setting as "allow",
        );
      case "resetPermissions":
        return resetPermissions();
      case "findDownload":
        return findDownload(String(params.url), Number(params.since));
      case "cancelDownload":
        return cancelDownload(String(params.url), Number(params.since));
    }
    throw new Error(
      `unknown_type: unknown command "${method.slice(0, 100)}"; the extension may be older than the hub`,
    );
  }

  private async attachTab(tabId: number): Promise<object> {
    this.assertOffered(tabId);
    await this.options.attachments.attach(tabId);
    this.options.onChange();
    return { tabId, attached: true };
  }

  private async detachTab(tabId: number): Promise<object> {
    await this.options.attachments.detach(tabId);
    this.options.indicator.forget(tabId);
    this.options.onChange();
    return {};
  }

  private async closeTab(tabId: number): Promise<object> {
    this.assertOffered(tabId);
    this.options.attachments.forget(tabId);
    await chrome.tabs.remove(tabId);
    return {};
  }

  private async createTab(url: string): Promise<object> {
    const { attachments, grants, tabs } = this.options;
    const access = this.options.access();
    const forbidden = forbiddenUrl(url, access);
    if (forbidden) throw new Error(forbidden);
    const { id } = await chrome.tabs.create({ url: "about:blank", active: false });
    const tabId = id as number;
    // Agents may use a tab that they open, including when tabs are handed over one by one.
    if (access.mode === "manual") grants.handOver(tabId);
    await attachments.attach(tabId);
    tabs.markAnnounced(tabId);
    if (url !== "about:blank" && url !== "") await chrome.tabs.update(tabId, { url });
    return { ...(await tabs.describeTab(tabId)), ...(url ? { url } : {}) };
  }

  private assertOffered(tabId: number): void {
    if (!this.options.tabs.has(tabId))
      throw new Error(
        `target_not_found: agents may not use tab ${tabId}, or it does not exist; call listTabs, or ask the person to hand it over in the Debug Bridge popup`,
      );
  }
}
