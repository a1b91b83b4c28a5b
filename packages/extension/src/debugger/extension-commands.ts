/// <reference types="chrome" />
import { forbiddenUrl, permitCommand } from "@debug-bridge/protocol";
import { FULL_ACCESS } from "../settings/access.js";
import type { Decisions } from "./access/decisions.js";
import { notShared } from "./access/refusals.js";
import { cancelDownload, findDownload } from "./downloads.js";
import { resetPermissions, setPermissions } from "./permissions.js";
import type { Attachments } from "./tabs/attachments.js";
import type { Indicator } from "./tabs/indicator.js";
import type { TabRegistry } from "./tabs/tab-registry.js";

type Params = Readonly<Record<string, unknown>>;

export interface ExtensionCommandsOptions {
  readonly decisions: Decisions;
  readonly tabs: TabRegistry;
  readonly attachments: Attachments;
  readonly indicator: Indicator;
  readonly onChange: () => void;
}

/** The CDP methods that these commands carry out, by which they are judged. */
const METHODS: Readonly<Record<string, string>> = {
  createTab: "Target.createTarget",
  closeTab: "Target.closeTarget",
  activateTab: "Target.activateTarget",
  setPermissions: "Browser.grantPermissions",
  resetPermissions: "Browser.resetPermissions",
  cancelDownload: "Browser.cancelDownload",
};

/** The commands of the relay that are not CDP: tabs, permissions, downloads. */
export class ExtensionCommands {
  constructor(private readonly options: ExtensionCommandsOptions) {}

  /** Runs a command. Rejects with an error whose text starts with its code. */
  async run(method: string, params: Params): Promise<unknown> {
    await this.assertPermitted(method, params);
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
    const { attachments, decisions, tabs } = this.options;
    const access = decisions.accessFor(undefined, undefined) ?? FULL_ACCESS;
    const forbidden = forbiddenUrl(url, access);
    if (forbidden) throw new Error(forbidden);
    const { id } = await chrome.tabs.create({ url: "about:blank", active: false });
    const tabId = id as number;
    // Agents may use a tab that they open, including when tabs are shared one by one.
    const { level, site } = access;
    decisions.sharing.share(tabId, { level, ...(site === undefined ? {} : { site }) }, url);
    await decisions.enforce(tabId);
    await attachments.attach(tabId);
    tabs.markAnnounced(tabId);
    if (url !== "about:blank" && url !== "") await chrome.tabs.update(tabId, { url });
    return { ...(await tabs.describeTab(tabId)), ...(url ? { url } : {}) };
  }

  private assertOffered(tabId: number): void {
    if (!this.options.tabs.has(tabId)) throw new Error(notShared(tabId));
  }

  /** Throws unless the person allows a command, who is asked for a grant if that is all that is missing. */
  private async assertPermitted(command: string, params: Params): Promise<void> {
    const method = METHODS[command];
    if (method === undefined) return;
    const client = typeof params.client === "string" ? params.client : undefined;
    const tabId = typeof params.tabId === "number" ? params.tabId : undefined;
    const { decisions } = this.options;
    const access = decisions.accessFor(tabId, client);
    if (!access) throw new Error(notShared(Number(tabId)));
    const permit = permitCommand(method, params, access);
    if (!("error" in permit)) return;
    if (!("grant" in permit) || !(await decisions.ask(client, permit.grant, method)))
      throw new Error(permit.error);
    // The settings may have changed since.
    await this.assertPermitted(command, params);
  }
}
