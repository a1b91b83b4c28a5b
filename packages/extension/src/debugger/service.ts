/// <reference types="chrome" />
import { type AccessSettings, DEFAULT_ACCESS, forbiddenUrl, permitted, readAccess } from "./access.js";
import { Attachments } from "./attachments.js";
import { browserInfo } from "./browser-info.js";
import { type Answer, Cdp, type CdpCommand } from "./cdp.js";
import { cancelDownload, findDownload } from "./downloads.js";
import { Grants } from "./grants.js";
import { Indicator } from "./indicator.js";
import { resetPermissions, setPermissions } from "./permissions.js";
import { RelayLink, type RelaySocket, type RelayState } from "./relay-link.js";
import { TabList } from "./tab-list.js";

const DEFAULT_RELAY = "ws://127.0.0.1:19222";
const ALARM = "relay";
const ALARM_MINUTES = 0.5;

interface Command {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** What the popup shows of agents. */
export interface AgentsView {
  readonly relay: RelayState;
  readonly address: string;
  readonly access: AccessSettings;
  readonly tabs: readonly {
    readonly tabId: number;
    readonly title: string;
    readonly url: string;
    readonly clients: readonly string[];
    readonly attached: boolean;
    readonly offered: boolean;
    readonly restricted?: string;
  }[];
}

/**
 * The extension's end of the extension wire. All listeners are set when it is made, in the worker's first turn, since
 * Chrome starts a worker for an event and hands it over then.
 */
export class DebuggerService {
  private readonly attachments = new Attachments(
    (tabId) => this.tabs.isAsleep(tabId),
    (tabId) => this.cdp.pictures.forget(tabId),
  );
  private readonly cdp = new Cdp(this.attachments);
  private readonly indicator = new Indicator();
  private readonly users = new Map<number, readonly string[]>();
  private access: AccessSettings = DEFAULT_ACCESS;
  private readonly grants = new Grants();
  private instance = "";
  private address = DEFAULT_RELAY;
  private greeting = "";
  private readonly link: RelayLink;
  private readonly tabs: TabList;
  private readonly loaded: Promise<void>;

  constructor(private readonly onChange: () => void) {
    this.link = new RelayLink({
      open: (address) =>
        new WebSocket(
          `${address.replace(/\/$/, "")}/extension?instance=${this.instance}`,
        ) as unknown as RelaySocket,
      greet: () => this.greeting,
      onText: (text, reply) => this.receive(text, reply),
      onState: ({ status }) => {
        void keepAlive(status);
        onChange();
      },
    });
    this.tabs = new TabList({
      isOffered: (tab) => this.grants.isOffered(tab, this.access),
      isAttached: (tabId) => this.attachments.has(tabId),
      onOpened: (tab) => this.tell("tabOpened", { tab }),
      onClosed: (tabId) => {
        void this.attachments.detach(tabId);
        this.indicator.forget(tabId);
        this.users.delete(tabId);
        this.tell("tabClosed", { tabId });
      },
      onUpdated: (change) => this.tell("tabUpdated", change),
    });
    this.listen();
    this.loaded = this.load();
    void this.loaded.then(() => this.link.connect(this.address));
  }

  private listen(): void {
    chrome.debugger.onEvent.addListener((source, method, params) => {
      const { tabId, sessionId } = source as { tabId?: number; sessionId?: string };
      if (tabId === undefined || this.cdp.pictures.isOwnEvent(tabId, method)) return;
      const child = sessionId === undefined ? "" : `"childSessionId":${JSON.stringify(sessionId)},`;
      // In this order, so that the relay can tell what it is without parsing it.
      this.link.send(
        `{"method":"cdpEvent","params":{"tabId":${tabId},${child}"method":"${method}","params":${JSON.stringify(params ?? {})}}}`,
      );
    });
    chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
      if (tabId === undefined) return;
      // "Cancel" in the bar lets go of every tab, though Chrome may say so of one.
      const isCancel = reason === "canceled_by_user";
      for (const id of new Set([tabId, ...(isCancel ? this.attachments.all() : [])])) {
        this.attachments.forget(id);
        this.indicator.forget(id);
        this.tell("tabDetached", { tabId: id, reason });
        // Whoever presses it wants agents out: the next command must not let them in again.
        if (isCancel) void this.loaded.then(() => this.revoke(id));
      }
      this.onChange();
    });
    chrome.tabs.onCreated.addListener((tab) => void this.loaded.then(() => this.tabs.created(tab)));
    chrome.tabs.onUpdated.addListener((tabId, change, tab) => {
      if (change.frozen) this.attachments.frozen(tabId);
      void this.loaded.then(() => this.tabs.updated(tabId, change, tab));
    });
    chrome.tabs.onRemoved.addListener((tabId) => {
      this.attachments.forget(tabId);
      this.tabs.removed(tabId);
      this.grants.forget(tabId);
    });
    chrome.tabs.onReplaced.addListener((added, removed) => {
      this.attachments.forget(removed);
      this.tabs.removed(removed);
      void this.loaded.then(async () => {
        this.grants.replace(removed, added);
        this.tabs.created(await chrome.tabs.get(added));
      });
    });
    chrome.storage.onChanged.addListener((changes, area) => {
      if (area !== "local") return;
      if (changes.relayAddress) {
        this.address = readAddress(changes.relayAddress.newValue);
        void this.loaded.then(() => this.link.restart(this.address));
      }
      // At once: a command that is on its way must not get past what the person has just forbidden.
      if (changes.access) {
        this.access = readAccess(changes.access.newValue);
        void this.loaded.then(() => this.tabs.review());
      }
    });
    chrome.alarms.onAlarm.addListener(({ name }) => {
      if (name === ALARM) this.wake();
    });
    void chrome.alarms.get(ALARM).then((known) => {
      if (!known) void chrome.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
    });
  }

  /** Tries to reach the relay, if there is no connection. */
  wake(): void {
    void this.loaded.then(() => this.link.connect(this.address));
  }

  private async load(): Promise<void> {
    const [local, session, info] = await Promise.all([
      chrome.storage.local.get(["relayAddress", "access"]),
      chrome.storage.session.get("relayInstance"),
      browserInfo(),
      this.grants.load(),
      this.attachments.restored,
    ]);
    this.address = readAddress(local.relayAddress);
    this.access = readAccess(local.access);
    this.greeting = JSON.stringify({ method: "hello", params: info });
    // Who we are in all lives of this worker, so that a new one may take the place of the last at the relay.
    this.instance = typeof session.relayInstance === "string" ? session.relayInstance : crypto.randomUUID();
    if (session.relayInstance === undefined)
      await chrome.storage.session.set({ relayInstance: this.instance });
  }

  private tell(method: string, params: object): void {
    this.link.send(JSON.stringify({ method, params }));
    this.onChange();
  }

  private receive(text: string, reply: (text: string) => void): void {
    let command: Command;
    try {
      command = JSON.parse(text) as Command;
    } catch {
      return;
    }
    const { id, method, params = {} } = command;
    if (method === "ping") {
      reply('{"method":"pong"}');
      return;
    }
    if (method === "tabUsage") {
      this.noteUse(Number(params.tabId), params.clients as string[]);
      return;
    }
    if (typeof id !== "number") return;
    const answer: Answer = (result, error) =>
      reply(
        error === undefined
          ? `{"id":${id},"result":${JSON.stringify(result ?? {})}}`
          : JSON.stringify({ id, error }),
      );
    if (method === "cdpCommand") this.runCdp(params as unknown as CdpCommand, answer);
    else
      this.run(method ?? "", params).then(answer, (thrown: Error) =>
        answer(undefined, /^[a-z_]+: /.test(thrown.message) ? thrown.message : `internal: ${thrown.message}`),
      );
  }

  private runCdp(command: CdpCommand, answer: Answer): void {
    const { tabId, method, params = {} } = command;
    if (typeof tabId !== "number" || typeof method !== "string") {
      answer(undefined, "invalid_message: cdpCommand needs tabId and method");
      return;
    }
    const access = command.readOnly ? { ...this.access, readOnly: true } : this.access;
    const allowed = permitted(method, params, access);
    if ("error" in allowed) {
      answer(undefined, allowed.error);
      return;
    }
    if (this.access.visible) this.show(tabId, method, params, command.childSessionId);
    this.cdp.run({ ...command, params: allowed.params }, answer);
  }

  private show(
    tabId: number,
    method: string,
    params: Record<string, unknown>,
    child: string | undefined,
  ): void {
    if (method === "Page.captureScreenshot" || method === "Page.startScreencast") this.indicator.hide(tabId);
    if (method === "Input.dispatchMouseEvent" && child === undefined)
      this.indicator.pointed(tabId, Number(params.x), Number(params.y));
  }

  private async run(method: string, params: Record<string, unknown>): Promise<unknown> {
    await this.loaded;
    const tabId = Number(params.tabId);
    switch (method) {
      case "listTabs":
        return this.tabs.list();
      case "attachTab": {
        this.checkOffered(tabId);
        await this.attachments.attach(tabId);
        this.onChange();
        return { tabId, attached: true };
      }
      case "detachTab":
        await this.attachments.detach(tabId);
        this.indicator.forget(tabId);
        this.onChange();
        return {};
      case "createTab":
        return this.createTab(String(params.url));
      case "closeTab":
        this.checkOffered(tabId);
        this.attachments.forget(tabId);
        await chrome.tabs.remove(tabId);
        return {};
      case "activateTab":
        this.checkOffered(tabId);
        await chrome.tabs.update(tabId, { active: true });
        return {};
      case "setPermissions":
        if (this.access.readOnly)
          throw new Error("read_only: the extension's popup allows agents to look only");
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
    throw new Error(`unknown_type: this extension does not know the command "${method}"`);
  }

  private checkOffered(tabId: number): void {
    if (!this.tabs.knows(tabId))
      throw new Error(
        `target_not_found: there is no tab ${tabId} that agents may use; ask listTabs, or hand it over in the popup`,
      );
  }

  private async createTab(url: string): Promise<unknown> {
    const forbidden = forbiddenUrl(url, this.access);
    if (forbidden) throw new Error(forbidden);
    if (this.access.readOnly) throw new Error("read_only: the extension's popup allows agents to look only");
    const { id } = await chrome.tabs.create({ url: "about:blank", active: false });
    const tabId = id as number;
    // What an agent opens is its own to use, also where tabs are handed over one by one.
    if (this.access.mode === "manual") this.grants.give(tabId);
    await this.attachments.attach(tabId);
    this.tabs.noteTold(tabId);
    if (url !== "about:blank" && url !== "") await chrome.tabs.update(tabId, { url });
    return { ...(await this.tabs.describeTab(tabId)), ...(url ? { url } : {}) };
  }

  private noteUse(tabId: number, clients: readonly string[]): void {
    if (clients.length > 0) this.users.set(tabId, clients);
    else this.users.delete(tabId);
    if (this.access.visible) void this.indicator.used(tabId, clients);
    this.onChange();
  }

  // --- for the popup

  /** Gives a tab to agents. */
  handOver(tabId: number): void {
    this.grants.give(tabId);
    void this.tabs.review().then(this.onChange);
  }

  /** Takes a tab from agents, at once. */
  revoke(tabId: number): void {
    this.grants.take(tabId);
    void this.indicator.used(tabId, []);
    if (this.attachments.has(tabId)) {
      void this.attachments.detach(tabId);
      this.tell("tabDetached", { tabId, reason: "revoked" });
    }
    void this.tabs.review().then(this.onChange);
  }

  async view(): Promise<AgentsView> {
    await this.loaded;
    const tabs = await chrome.tabs.query({});
    return {
      relay: this.link.state,
      address: this.address,
      access: this.access,
      tabs: tabs.flatMap((tab) => {
        if (tab.id === undefined) return [];
        const forbidden = forbiddenUrl(tab.url ?? "", this.access)?.replace(/^[a-z_]+: /, "");
        return {
          tabId: tab.id,
          title: tab.title ?? "",
          url: tab.url ?? "",
          clients: this.users.get(tab.id) ?? [],
          attached: this.attachments.has(tab.id),
          offered: this.tabs.knows(tab.id),
          ...(forbidden ? { restricted: forbidden } : {}),
        };
      }),
    };
  }
}

const readAddress = (stored: unknown): string => (typeof stored === "string" ? stored : DEFAULT_RELAY);

/** While there is a relay, a hidden page starts this worker again whenever Chrome ends it (see keeper.ts). */
async function keepAlive(status: RelayState["status"]): Promise<void> {
  try {
    if (status === "connected" && !(await chrome.offscreen.hasDocument()))
      await chrome.offscreen.createDocument({
        url: "keeper.html",
        reasons: [chrome.offscreen.Reason.WORKERS],
        justification: "Keeps the connection with the relay while agents work in tabs.",
      });
    if (status === "idle" && (await chrome.offscreen.hasDocument())) await chrome.offscreen.closeDocument();
  } catch {
    // Two states in one moment; the page is there, or will be closed with the browser.
  }
}
