import {
  BridgeError,
  type ExtensionCommand,
  forbiddenUrl,
  permitCommand,
  StandingCasts,
} from "@debug-bridge/protocol";
import type { RelayCore } from "../../relay/relay-core.js";
import { ChromeDownloads } from "./chrome-downloads.js";
import type { ChromeReply, ChromeSocket } from "./chrome-socket.js";
import { type ChromeTab, ChromeTabs, type TargetInfo } from "./chrome-tabs.js";
import { setPermissions } from "./permissions.js";

type Params = Readonly<Record<string, unknown>>;
type CdpCommand = Extract<ExtensionCommand, { method: "cdpCommand" }>["params"];

/** The person allowed remote debugging of the whole browser. The hub's own rules, such as `--read-only`, hold as ever. */
const ACCESS = { level: "full", grants: "all" } as const;
const PAGES = [{ type: "page", exclude: false }, { exclude: true }];

/**
 * A browser that the hub is connected to itself. To the relay it is what the extension is otherwise: it lists tabs, runs
 * commands in them and reports their events. So sessions, clients and policy are the same.
 */
export class DirectChrome {
  readonly tabs: ChromeTabs;
  private readonly downloads: ChromeDownloads;
  /** The tab of each session: its own, and those of its frames and workers. */
  private readonly sessions = new Map<string, ChromeTab>();
  private readonly casts: StandingCasts;

  constructor(
    private readonly core: RelayCore,
    private readonly socket: ChromeSocket,
    private readonly onRefused: (error: BridgeError) => void,
  ) {
    this.tabs = new ChromeTabs({
      onOpened: (tab) => this.report("tabOpened", { tab }),
      onClosed: (tab) => this.onTabGone(tab),
      onUpdated: (change) => this.report("tabUpdated", change),
    });
    this.downloads = new ChromeDownloads(socket);
    this.casts = new StandingCasts(
      // Chrome does not report which tabs the person sees.
      () => false,
      (tabId, method, params) => {
        const { sessionId } = this.tabs.get(tabId) ?? {};
        if (sessionId !== undefined) socket.send(method, params, () => {}, sessionId);
      },
    );
    socket.onEvent = (sessionId, method, params) => this.onEvent(sessionId, method, params);
  }

  /** Learns what is open, and offers it to agents. */
  async start(): Promise<string> {
    const { socket, core } = this;
    type Version = { product: string; userAgent: string };
    type Contexts = { defaultBrowserContextId?: string };
    const [{ product, userAgent }, contexts] = await Promise.all([
      socket.call<Version>("Browser.getVersion"),
      socket.call<Contexts>("Target.getBrowserContexts"),
    ]);
    // Without it, private windows cannot be distinguished from the others.
    if (contexts.defaultBrowserContextId === undefined)
      throw new BridgeError("not_supported", `${product} is too old: it does not say which tabs are private`);
    this.tabs.profile = contexts.defaultBrowserContextId;
    // A browser without its own windows may not report downloads.
    await this.downloads.start().catch(() => {});
    await socket.call("Target.setDiscoverTargets", { discover: true, filter: PAGES });
    core.extensionConnected((text) => this.onCommand(text));
    this.report("hello", { product, userAgent });
    this.report("accessChanged", { share: "all", access: { level: "full" } });
    return product;
  }

  // --- from the browser

  private onEvent(sessionId: string | undefined, method: string, params: string): void {
    if (sessionId === undefined) this.onBrowserEvent(method, params);
    else this.onSessionEvent(sessionId, method, params);
  }

  private onSessionEvent(sessionId: string, method: string, params: string): void {
    const tab = this.sessions.get(sessionId);
    if (!tab || this.casts.isOwnEvent(tab.tabId, method)) return;
    if (method === "Target.attachedToTarget")
      this.sessions.set((JSON.parse(params) as { sessionId: string }).sessionId, tab);
    if (method === "Target.detachedFromTarget")
      this.sessions.delete((JSON.parse(params) as { sessionId: string }).sessionId);
    const child = sessionId === tab.sessionId ? "" : `"childSessionId":"${sessionId}",`;
    this.sendToRelay(
      `{"method":"cdpEvent","params":{"tabId":${tab.tabId},${child}"method":"${method}","params":${params}}}`,
    );
  }

  private onBrowserEvent(method: string, params: string): void {
    switch (method) {
      case "Target.targetCreated":
      case "Target.targetInfoChanged":
        this.tabs.onTarget((JSON.parse(params) as { targetInfo: TargetInfo }).targetInfo);
        return;
      case "Target.targetDestroyed":
        this.tabs.remove((JSON.parse(params) as { targetId: string }).targetId);
        return;
      case "Target.detachedFromTarget": {
        const tab = this.sessions.get((JSON.parse(params) as { sessionId: string }).sessionId);
        if (tab) this.onDetached(tab, "target_closed");
        return;
      }
      case "Browser.downloadWillBegin":
      case "Browser.downloadProgress":
        this.downloads.onEvent(method, params);
    }
  }

  private onTabGone(tab: ChromeTab): void {
    const { sessionId } = tab;
    this.forgetSessions(tab);
    // It may only have gone where agents may not follow.
    if (sessionId !== undefined) this.socket.send("Target.detachFromTarget", { sessionId }, () => {});
    this.report("tabClosed", { tabId: tab.tabId });
  }

  private onDetached(tab: ChromeTab, reason: string): void {
    this.forgetSessions(tab);
    this.report("tabDetached", { tabId: tab.tabId, reason });
  }

  private forgetSessions(tab: ChromeTab): void {
    for (const [sessionId, owner] of this.sessions) if (owner === tab) this.sessions.delete(sessionId);
    tab.sessionId = undefined;
    this.casts.forget(tab.tabId);
  }

  /** What the relay cannot take, such as a title that is too long, is left out. */
  private sendToRelay(text: string): void {
    try {
      this.core.extensionText(text);
    } catch (thrown) {
      this.onRefused(BridgeError.from(thrown));
    }
  }

  private report(method: string, params: object): void {
    this.sendToRelay(JSON.stringify({ method, params }));
  }

  // --- from the relay

  private onCommand(text: string): void {
    const { id, method, params = {} } = JSON.parse(text) as { id?: number; method: string; params?: Params };
    // What has no id is a message to the person, in the popup of the extension.
    if (id === undefined) return;
    const reply: ChromeReply = ({ ok, body }) =>
      this.sendToRelay(ok ? `{"id":${id},"result":${body}}` : JSON.stringify({ id, error: body }));
    if (method === "cdpCommand") this.runCdp(params as unknown as CdpCommand, reply);
    else
      this.run(method, params).then(
        (result) => reply({ ok: true, body: JSON.stringify(result ?? {}) }),
        (thrown: Error) => reply({ ok: false, body: errorText(thrown) }),
      );
  }

  private runCdp(command: CdpCommand, reply: ChromeReply): void {
    const { tabId, method, params = {}, childSessionId, plain, readOnly, own } = command;
    const tab = this.tabs.get(tabId);
    const sessionId = childSessionId ?? tab?.sessionId;
    const code = own ? "own" : readOnly ? "placed" : undefined;
    const permit = permitCommand(method, params, { ...ACCESS, code }, readOnly === true);
    if (tab?.attaching) {
      const again = (): void => this.runCdp(command, reply);
      void tab.attaching.then(again, again);
    } else if (tab?.sessionId === undefined || sessionId === undefined) {
      const body = `not_actionable: no debugger is attached to tab ${tabId}; send attachTab first`;
      reply({ ok: false, body });
    } else if ("acknowledge" in permit) reply({ ok: true, body: "{}" });
    else if ("error" in permit) reply({ ok: false, body: permit.error });
    else {
      const done = this.casts.begin(tabId, method);
      const complete: ChromeReply = (outcome) => {
        done();
        reply(outcome);
      };
      // The browser reports contexts only when this domain was off.
      if (method === "Runtime.enable" && !plain) this.socket.send("Runtime.disable", {}, () => {}, sessionId);
      this.socket.send(method, permit.params, complete, sessionId);
    }
  }

  private async run(method: string, params: Params): Promise<unknown> {
    const { socket, downloads } = this;
    switch (method) {
      case "listTabs":
        return this.tabs.list();
      case "createTab":
        return this.createTab(String(params.url));
      case "attachTab":
        return this.attach(this.tab(params));
      case "detachTab": {
        const tab = this.tab(params);
        const { sessionId } = tab;
        this.forgetSessions(tab);
        return sessionId === undefined ? {} : socket.call("Target.detachFromTarget", { sessionId });
      }
      case "closeTab":
        return socket.call("Target.closeTarget", { targetId: this.tab(params).targetId });
      case "activateTab":
        return socket.call("Target.activateTarget", { targetId: this.tab(params).targetId });
      case "setPermissions":
        return setPermissions(socket, params);
      case "resetPermissions":
        return socket.call("Browser.resetPermissions");
      case "findDownload":
        return downloads.find(String(params.url), Number(params.since));
      case "cancelDownload":
        return downloads.cancel(String(params.url), Number(params.since));
    }
    throw new BridgeError("unknown_type", `unknown command "${method.slice(0, 100)}"`);
  }

  private tab({ tabId }: Params): ChromeTab {
    const tab = this.tabs.get(Number(tabId));
    if (tab) return tab;
    throw new BridgeError("target_not_found", `tab ${Number(tabId)} was closed; list the tabs again`);
  }

  private async attach(tab: ChromeTab): Promise<object> {
    if (tab.sessionId === undefined)
      tab.attaching ??= this.beginAttach(tab).finally(() => {
        tab.attaching = undefined;
      });
    await tab.attaching;
    return { tabId: tab.tabId, attached: true };
  }

  private async beginAttach(tab: ChromeTab): Promise<void> {
    const { sessionId } = await this.socket.call<{ sessionId: string }>("Target.attachToTarget", {
      targetId: tab.targetId,
      flatten: true,
    });
    tab.sessionId = sessionId;
    this.sessions.set(sessionId, tab);
  }

  /** Opens a tab in the background, so that nothing takes the person's focus. */
  private async createTab(url: string): Promise<object> {
    const forbidden = forbiddenUrl(url, { level: "full" });
    if (forbidden) throw new Error(forbidden);
    const { targetId } = await this.socket.call<{ targetId: string }>("Target.createTarget", {
      url: "about:blank",
      background: true,
    });
    const tab = this.tabs.ofTarget(targetId);
    if (!tab) throw new BridgeError("target_not_found", "the browser closed the new tab at once");
    await this.attach(tab);
    if (url !== "about:blank" && url !== "")
      this.socket.send("Page.navigate", { url }, () => {}, tab.sessionId);
    return { ...this.tabs.describe(tab), ...(url ? { url } : {}) };
  }
}

/** An error of ours begins with its code; one of the browser is JSON. */
function errorText(thrown: Error): string {
  if (thrown instanceof BridgeError) return `${thrown.code}: ${thrown.message}`;
  return /^(\{|[a-z_]+: )/.test(thrown.message) ? thrown.message : `internal: ${thrown.message}`;
}
