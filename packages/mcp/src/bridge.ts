import type { AgentClient, HubClient } from "@debug-bridge/client";
import {
  BridgeError,
  type BrowserResponse,
  type SessionSummary,
  type SourceLocation,
} from "@debug-bridge/protocol";
import type { Executor } from "./execute/executor.js";

/** A part of the result of `browser_action`. */
type BrowserActionContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface BrowserActionResult {
  readonly content: readonly BrowserActionContent[];
  readonly isError: boolean;
}

/** Which recording, and which failure of it. */
interface ReproduceRequest {
  /** An id, the end of one, or a session, whose newest recording is meant. */
  readonly name?: string | undefined;
  readonly error?: string;
  readonly shows?: string;
  readonly maxMs?: number;
}

export type Reproduce = (request: ReproduceRequest) => Promise<{
  readonly reproduced: boolean;
  /** What happened, for a reader. */
  readonly lines: readonly string[];
  readonly [detail: string]: unknown;
}>;

/** What the person decided about a site. */
export interface SiteAnswer {
  readonly origin: string;
  readonly status: "allowed" | "refused";
}

export interface BridgeOptions {
  readonly hub: HubClient;
  readonly executor: Executor;
  /** Why `execute` is not offered; left out when it is. */
  readonly executeOff?: string | undefined;
  /** The session that is used while it is connected, when a tool names none. */
  readonly defaultSession?: string | undefined;
  /** Runs one `browser_action` in the browser of this client's connection. */
  readonly browserAction: (instruction: string) => Promise<BrowserResponse>;
  /**
   * Waits for the person, if the agent of a chat asks them something now. Returns what they decided, by site; nothing
   * when nobody was asked.
   */
  readonly untilAnswered?: () => Promise<readonly SiteAnswer[]>;
  /** Where code was written, from where it runs in the page at this address; of an error, from its stack too. */
  readonly locate?: (
    location: SourceLocation,
    page: string,
    stack?: string,
  ) => Promise<SourceLocation | undefined>;
  /** Replays a recording of this home and writes a test of its failure; rejects where that is not allowed. */
  readonly reproduce?: Reproduce | undefined;
  /** Closes that browser when the client disconnects. */
  readonly closeBrowser?: () => Promise<unknown>;
}

/** What the tools work with: the sessions of a hub, the person's Chrome, and a launched Chrome. */
export class Bridge {
  readonly hub: HubClient;
  readonly executor: Executor;
  readonly executeOff: string | undefined;
  readonly browserAction: BridgeOptions["browserAction"];
  readonly untilAnswered: NonNullable<BridgeOptions["untilAnswered"]>;
  readonly locate: BridgeOptions["locate"];
  readonly reproduce: BridgeOptions["reproduce"];

  private readonly defaultSession: string | undefined;
  private readonly closeBrowser: BridgeOptions["closeBrowser"];
  /** What was chosen, and the version of the list that it was chosen from. */
  private readonly chosen = new Map<string, { readonly id: string; readonly version: number }>();

  constructor({ hub, executor, executeOff, defaultSession, browserAction, ...rest }: BridgeOptions) {
    this.hub = hub;
    this.executor = executor;
    this.executeOff = executeOff;
    this.defaultSession = defaultSession;
    this.browserAction = browserAction;
    this.untilAnswered = rest.untilAnswered ?? (async () => []);
    this.locate = rest.locate;
    this.reproduce = rest.reproduce;
    this.closeBrowser = rest.closeBrowser;
  }

  /** The session with this id, or the one that `chooseSession` chooses. */
  async choose(session: string | undefined, kind: "page" | "agent" = "page"): Promise<string> {
    if (session !== undefined && session !== "") return session;
    const version = this.hub.listVersion;
    const known = this.chosen.get(kind);
    if (known !== undefined && known.version === version) return known.id;
    const sessions = await this.hub.sessions();
    const own = kind === "page" && sessions.find((each) => each.id === this.defaultSession && each.connected);
    if (own) return own.id;
    // When a person's browser is connected and shares no tab, the person is asked, and this throws what to do next.
    if (kind === "page" && !sessions.some((each) => each.connected && each.kind !== "agent"))
      await this.hub.post("/v1/tabs/request", {});
    const { id } = chooseSession(sessions, kind);
    if (version !== undefined) this.chosen.set(kind, { id, version });
    return id;
  }

  async session(session: string | undefined): Promise<AgentClient> {
    return this.hub.session(await this.choose(session));
  }

  async close(): Promise<void> {
    // A hub that is gone has closed its browsers.
    await this.closeBrowser?.().catch(() => {});
    this.hub.close();
    await this.executor.close();
  }
}

/** The session that is meant when none is named: the only one, else the tab in front, else the one that was used last. */
export function chooseSession<Session extends SessionSummary>(
  sessions: readonly Session[],
  kind: "page" | "agent",
): Session {
  const connected = sessions.filter(
    (each) => each.connected && (each.kind === "agent") === (kind === "agent"),
  );
  const [first] = connected;
  if (first === undefined) {
    const what = kind === "agent" ? "agent" : "app, tab or browser";
    throw new BridgeError("session_not_found", `no ${what} is connected. ${CONNECT_ADVICE[kind]}`);
  }
  if (connected.length === 1) return first;
  const [front, ...alsoInFront] = connected.filter(({ active }) => active === true);
  if (front && alsoInFront.length === 0) return front;
  const [last, ...others] = connected
    .filter(({ lastUsedAt }) => lastUsedAt !== undefined)
    .sort((a, b) => (a.lastUsedAt as string).localeCompare(b.lastUsedAt as string))
    .reverse();
  if (last && others[0]?.lastUsedAt !== last.lastUsedAt) return last;
  const names = connected.map(({ id, url, title }) =>
    [id, url, title && `"${title}"`].filter(Boolean).join(" "),
  );
  throw new BridgeError(
    "session_not_found",
    `${connected.length} sessions are connected; name one with session: ${names.slice(0, 20).join("; ")}`,
  );
}

const CONNECT_ADVICE = {
  page: "Open an app that embeds the SDK, share a tab with the extension, or start a browser with browser_action",
  agent: "Start one with: debug-bridge agent run, or install the hooks with: debug-bridge hook install",
} as const;
