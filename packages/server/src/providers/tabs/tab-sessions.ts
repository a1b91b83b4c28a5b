import { type DrivenPage, type CdpSession as DriverSession, drivePage } from "@debug-bridge/driver";
import { APP_PROTOCOL_VERSION, BridgeError, type Transport } from "@debug-bridge/protocol";
import type { Sessions } from "../../sessions/registry.js";
import type { Relay } from "../../wires/cdp/relay.js";
import type { TabEvent, TabSummary } from "../../wires/cdp/relay-core.js";
import type { CdpSession } from "../../wires/cdp/tab-session.js";
import { joinAsApp } from "../in-process/join-as-app.js";

/** The name under which the hub itself works in tabs. */
const OWN_CLIENT = "debug-bridge";

export interface TabSessionsOptions {
  readonly enableEval: boolean;
  onFailed(sessionId: string, error: BridgeError): void;
}

/**
 * Makes every tab that the person lets agents use a session of kind `tab`. A tab is only listed until someone works in
 * it: the first command, or another client's attaching, brings the page engine in.
 */
export class TabSessions {
  private readonly tabs = new Map<number, TabSession>();
  private readonly stop: () => void;

  constructor(
    private readonly relay: Relay,
    private readonly sessions: Sessions,
    private readonly options: TabSessionsOptions,
  ) {
    this.stop = relay.onTab((event) => this.take(event));
  }

  close(): void {
    this.stop();
    for (const tab of this.tabs.values()) tab.close();
    this.tabs.clear();
  }

  private take({ type, tab }: TabEvent): void {
    const known = this.tabs.get(tab.tabId);
    if (type === "closed") {
      known?.close();
      this.tabs.delete(tab.tabId);
      return;
    }
    const session = known ?? new TabSession(tab, this.relay, this.sessions, this.options);
    this.tabs.set(tab.tabId, session);
    session.update(tab);
    if (type === "attached" && tab.clients.some((client) => client !== OWN_CLIENT)) session.drive(true);
  }
}

/** One tab: a line in the list of sessions at first, a driven page from its first use on. */
class TabSession {
  readonly sessionId: string;
  private transport: Transport | undefined;
  private driven: Promise<DrivenPage> | undefined;
  private waiting: string[] = [];
  private said = "";

  constructor(
    private tab: TabSummary,
    private readonly relay: Relay,
    private readonly sessions: Sessions,
    private readonly options: TabSessionsOptions,
  ) {
    this.sessionId = `tab-${tab.tabId}`;
    this.wait();
  }

  /** What the browser says of the tab, as long as no engine in it says more. */
  update(tab: TabSummary): void {
    this.tab = tab;
    if (this.driven) return;
    const { url, title } = tab;
    const now = `${url} ${title}`;
    if (now === this.said) return;
    this.said = now;
    const about = { protocolVersion: APP_PROTOCOL_VERSION, url, title, userAgent: "Chrome", kind: "tab" };
    const common = { sessionId: this.sessionId, timestamp: Date.now(), origin: "app" };
    this.transport?.send(JSON.stringify({ ...common, type: "hello", ...about }));
  }

  /** Brings the page engine in, once; one that only follows another client leaves with it. */
  drive(follows = false): void {
    this.driven ??= this.start(follows);
    this.driven.catch((thrown: unknown) => {
      this.options.onFailed(this.sessionId, BridgeError.from(thrown));
      this.letGo();
    });
  }

  close(): void {
    this.transport?.close("the tab was closed");
    this.transport = undefined;
  }

  /** Until the tab is used: commands that come bring the engine in, and are then answered by it. */
  private wait(): void {
    const transport = joinAsApp(this.sessions, this.sessionId, { kind: "tab" });
    this.transport = transport;
    this.said = "";
    transport.onMessage = (text) => {
      if ((JSON.parse(text) as { origin?: string }).origin !== "agent") return;
      this.waiting.push(text);
      this.drive();
    };
    this.update(this.tab);
  }

  private async start(follows: boolean): Promise<DrivenPage> {
    const cdp = this.relay.openTab(this.tab.targetId, { name: OWN_CLIENT, follows });
    cdp.onClose(() => this.letGo());
    const page = await drivePage(asDriverSession(cdp), {
      enableEval: this.options.enableEval,
      dialogs: "own",
    });
    const { transport } = this;
    if (!transport) throw new BridgeError("app_not_connected", "the tab was closed");
    page.connect(transport, { sessionId: this.sessionId, kind: "tab" });
    for (const text of this.waiting.splice(0)) transport.onMessage?.(text);
    return page;
  }

  /** The debugger is out of the tab: what was asked of it is answered, and it is listed as before. */
  private letGo(): void {
    if (!this.driven) return;
    this.driven = undefined;
    this.waiting = [];
    const { transport } = this;
    if (!transport) return;
    transport.close("the debugger was taken out of the tab");
    this.wait();
  }
}

function asDriverSession(cdp: CdpSession): DriverSession {
  return {
    send: (method, params) => cdp.send(method, params) as Promise<never>,
    on: (method, listener) => cdp.on(method, (params) => listener(params as never)),
    onClose: (listener) => cdp.onClose(() => listener("the debugger was taken out of the tab")),
  };
}
