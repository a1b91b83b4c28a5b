import {
  ChangeNotifier,
  type DrivenPage,
  type CdpSession as DriverSession,
  drivePage,
  type OpenedPage,
  PageNumbers,
} from "@debug-bridge/driver";
import { APP_PROTOCOL_VERSION, BridgeError, type Transport } from "@debug-bridge/protocol";
import { steadyNow } from "../../bounds/steady-clock.js";
import { tabSessionId } from "../../dispatch/cdp-commands.js";
import type { CdpSession } from "../../relay/clients/in-process-session.js";
import type { Relay } from "../../relay/relay.js";
import { LOSS_TEXT } from "../../relay/tabs/sharing.js";
import type { TabEvent, TabSummary } from "../../relay/tabs/tab-usage.js";
import type { Sessions } from "../../sessions/registry.js";
import { joinAsApp } from "../in-process/join-as-app.js";

/** The client name of the hub itself. */
const OWN_CLIENT = "debug-bridge";
/** How long a receipt waits for a tab that was opened. One that is not shared never comes. */
const FOLLOW_TIMEOUT_MS = 1_500;

export interface TabSessionsOptions {
  readonly enableEval: boolean;
  onFailed(sessionId: string, error: BridgeError): void;
}

/**
 * Creates a session of kind `tab` for every tab that the person lets agents use. A tab is only listed until it is used:
 * the first command, a client that attaches, or a person who picks something in it, injects the page engine.
 */
export class TabSessions {
  private readonly tabs = new Map<number, TabSession>();
  private readonly stop: () => void;
  /** Tabs that others opened, until the receipt of what opened them has named them. */
  private readonly fresh: TabSummary[] = [];
  private readonly changed = new ChangeNotifier();

  constructor(
    private readonly relay: Relay,
    private readonly sessions: Sessions,
    private readonly options: TabSessionsOptions,
  ) {
    this.stop = relay.onTab((event) => this.onTabEvent(event));
  }

  close(): void {
    this.stop();
    for (const tab of this.tabs.values()) tab.close();
    this.tabs.clear();
  }

  /** The tab that another one opened just now, when the person lets agents use it. */
  private async followOpened(url: string, openerId: string): Promise<OpenedPage> {
    for (const ends = steadyNow() + FOLLOW_TIMEOUT_MS; steadyNow() < ends; ) {
      const at = this.fresh.findIndex((tab) => tab.openerId === openerId);
      const [tab] = at < 0 ? [] : this.fresh.splice(at, 1);
      if (tab) return { sessionId: tabSessionId(tab.tabId), url: url || tab.url, title: tab.title };
      await this.changed.wait(ends - steadyNow());
    }
    return { url };
  }

  private onTabEvent({ type, tab }: TabEvent): void {
    const known = this.tabs.get(tab.tabId);
    if (type === "closed") {
      known?.close();
      this.tabs.delete(tab.tabId);
      const at = this.fresh.findIndex(({ tabId }) => tabId === tab.tabId);
      if (at >= 0) this.fresh.splice(at, 1);
      const session = this.sessions.get(tabSessionId(tab.tabId));
      if (session) {
        session.lossText = tab.lossReason && LOSS_TEXT[tab.lossReason];
        this.sessions.markClosed(session);
      }
      return;
    }
    const followOpened = (url: string, opener: string): Promise<OpenedPage> => this.followOpened(url, opener);
    const session =
      known ?? new TabSession(tab, this.relay, this.sessions, { ...this.options, followOpened });
    if (!known && tab.openerId !== undefined) this.fresh.push(tab);
    this.changed.notify();
    this.tabs.set(tab.tabId, session);
    session.update(tab);
    if (type === "wanted") session.drive();
    if (type === "attached" && tab.clients.some((client) => client !== OWN_CLIENT)) session.drive(true);
  }
}

interface TabSessionOptions extends TabSessionsOptions {
  followOpened(url: string, openerId: string): Promise<OpenedPage>;
}

/** One tab: only listed at first, and a driven page from its first use on. */
class TabSession {
  readonly sessionId: string;
  private transport: Transport | undefined;
  private driven: Promise<DrivenPage> | undefined;
  private waiting: string[] = [];
  private readonly numbers = new PageNumbers();
  /** The description that was sent last. */
  private described = "";

  constructor(
    private tab: TabSummary,
    private readonly relay: Relay,
    private readonly sessions: Sessions,
    private readonly options: TabSessionOptions,
  ) {
    this.sessionId = tabSessionId(tab.tabId);
    this.wait();
  }

  /** Describes the tab by what the browser reports, until a page engine in it reports more. */
  update(tab: TabSummary): void {
    this.tab = tab;
    this.markActive();
    if (this.driven) return;
    const { url, title } = tab;
    const now = `${url} ${title}`;
    if (now === this.described) return;
    this.described = now;
    const about = { protocolVersion: APP_PROTOCOL_VERSION, url, title, userAgent: "Chrome", kind: "tab" };
    const common = { sessionId: this.sessionId, timestamp: Date.now(), origin: "app" };
    this.transport?.send(JSON.stringify({ ...common, type: "hello", ...about }));
  }

  private markActive(): void {
    const session = this.sessions.get(this.sessionId);
    if (!session) return;
    const isFronted = session.active !== this.tab.active;
    session.active = this.tab.active;
    session.lossText = undefined;
    if (!isFronted && JSON.stringify(session.access) === JSON.stringify(this.tab.access)) return;
    session.access = this.tab.access;
    session.reportChange();
  }

  /** Injects the page engine, once; one that only follows another client leaves with it. */
  drive(follows = false): void {
    this.driven ??= this.start(follows);
    this.driven.catch((thrown: unknown) => {
      this.options.onFailed(this.sessionId, BridgeError.from(thrown));
      this.release();
    });
  }

  close(): void {
    this.transport?.close("the tab was closed");
    this.transport = undefined;
  }

  /** Until the tab is used: the first command injects the engine, which then answers it. */
  private wait(): void {
    const transport = joinAsApp(this.sessions, this.sessionId, { kind: "tab" });
    this.transport = transport;
    this.described = "";
    transport.onMessage = (text) => {
      const { origin, type } = JSON.parse(text) as { origin?: string; type?: string };
      // Watching a tab does not attach the debugger to it; a client that looks at it does.
      if (origin !== "agent" || type === "watch") return;
      this.waiting.push(text);
      this.drive();
    };
    this.update(this.tab);
  }

  private async start(follows: boolean): Promise<DrivenPage> {
    const cdp = this.relay.openTab(this.tab.targetId, { name: OWN_CLIENT, follows });
    cdp.onClose(() => this.release());
    const page = await drivePage(asDriverSession(cdp), {
      enableEval: this.options.enableEval,
      dialogs: "own",
      numbers: this.numbers,
      followOpened: (url) => this.options.followOpened(url, this.tab.targetId),
      keepDownload: (download) => this.relay.keepDownload(download, this.sessionId),
    });
    const { transport } = this;
    if (!transport) throw new BridgeError("app_not_connected", "the tab was closed");
    page.connect(transport, { sessionId: this.sessionId, kind: "tab" });
    for (const text of this.waiting.splice(0)) transport.onMessage?.(text);
    return page;
  }

  /** The debugger left the tab: pending commands are answered, and the tab is listed as before. */
  private release(): void {
    if (!this.driven) return;
    this.driven = undefined;
    this.waiting = [];
    const { transport } = this;
    if (!transport) return;
    transport.close("the debugger left the tab");
    this.wait();
  }
}

function asDriverSession(cdp: CdpSession): DriverSession {
  return {
    send: (method, params) => cdp.send(method, params) as Promise<never>,
    on: (method, listener) => cdp.on(method, (params) => listener(params as never)),
    onClose: (listener) => cdp.onClose(() => listener("the debugger left the tab")),
    child: (sessionId) => asDriverSession(cdp.child(sessionId)),
  };
}
