import { BridgeError, type BrowserResponse, type SessionSummary } from "@debug-bridge/protocol";
import type { AgentClient, HubClient } from "@debug-bridge/server/client";
import type { Executor } from "./execute/executor.js";

export interface BridgeOptions {
  readonly hub: HubClient;
  readonly executor: Executor;
  /** Runs one `browser_action` in the browser of this client's connection. */
  readonly browserAction: (instruction: string) => Promise<BrowserResponse>;
  /** Closes that browser, when the client goes. */
  readonly closeBrowser?: () => Promise<unknown>;
}

/** What the tools work with: the sessions of a hub, the person's Chrome, a Chrome of their own. */
export class Bridge {
  readonly hub: HubClient;
  readonly executor: Executor;
  readonly browserAction: BridgeOptions["browserAction"];

  private readonly closeBrowser: BridgeOptions["closeBrowser"];

  constructor({ hub, executor, browserAction, closeBrowser }: BridgeOptions) {
    this.hub = hub;
    this.executor = executor;
    this.browserAction = browserAction;
    this.closeBrowser = closeBrowser;
  }

  /** The session that is meant: the one that is named, else the only one that can be acted in. */
  async choose(session: string | undefined, kind: "page" | "agent" = "page"): Promise<string> {
    if (session !== undefined && session !== "") return session;
    const there = (await this.hub.sessions()).filter(
      (each) => each.connected && (each.kind === "agent") === (kind === "agent"),
    );
    if (there.length === 1) return (there[0] as SessionSummary).id;
    const what = kind === "agent" ? "agent" : "app, tab or browser";
    if (there.length === 0) {
      throw new BridgeError("session_not_found", `no ${what} is connected. ${HOW[kind]}`);
    }
    const names = there.map(({ id, url, title }) =>
      [id, url, title && `"${title}"`].filter(Boolean).join(" "),
    );
    throw new BridgeError(
      "session_not_found",
      `${there.length} sessions are connected; name one with session: ${names.slice(0, 20).join("; ")}`,
    );
  }

  async session(session: string | undefined): Promise<AgentClient> {
    return this.hub.session(await this.choose(session));
  }

  async close(): Promise<void> {
    this.hub.close();
    // A hub that is gone has taken its browsers with it.
    await this.closeBrowser?.().catch(() => {});
    await this.executor.close();
  }
}

const HOW = {
  page: `Open the app with the SDK in it, hand over a tab with the extension, or start a browser with browser_action`,
  agent: "Start one with debug-bridge run, or install the hooks with debug-bridge hook install",
} as const;
