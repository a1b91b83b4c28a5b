import { type ConsoleEvent, fromConsoleEvent, stripControlCharacters } from "@debug-bridge/protocol";
import type { Sessions } from "../../sessions/registry.js";
import type { Session } from "../../sessions/session.js";
import type { Documents } from "./documents.js";

/** How long a line waits for the SDK of its page to connect, so that both reports meet in one session. */
const SDK_TIMEOUT_MS = 300;
const CHECK_INTERVAL_MS = 20;
const MAX_WAITING = 1_000;
const MAX_ABSENT = 256;

/** What a connection reported about its browser. */
export interface BrowserInfo {
  readonly browser?: string | undefined;
  readonly browserVersion?: string | undefined;
}

interface Waiting {
  readonly event: ConsoleEvent;
  readonly instanceId: string;
  readonly until: number;
}

/**
 * Brings console events of the extension into timelines: into that of the app when the SDK that names the call is
 * connected, otherwise into that of the tab.
 */
export class ConsoleRouter {
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Pages whose SDK did not connect in time: it talks to another hub, or to none. */
  private readonly absent = new Set<string>();

  constructor(
    private readonly sessions: Sessions,
    private readonly documents: Documents,
    private readonly info: () => BrowserInfo,
  ) {}

  route(event: ConsoleEvent): void {
    if (!this.documents.isNew(event.source.documentId, event.payload.seq)) return;
    const instanceId = instanceOf(event.payload.callId);
    // A line never overtakes one of its tab that still waits.
    if (instanceId !== undefined && !this.absent.has(instanceId) && !this.sessions.withInstance(instanceId))
      this.wait(event, instanceId);
    else if (this.waiting.some((each) => each.event.source.tabId === event.source.tabId))
      this.wait(event, instanceId ?? "");
    else this.record(event, instanceId);
  }

  /** Records that something was dropped before it reached the hub. */
  recordGap(tabId: number, dropped: number, reason: string): void {
    const session = this.sessions.open(tabSession(tabId));
    session.record("gap", Date.now(), JSON.stringify({ dropped, reason: stripControlCharacters(reason) }));
  }

  /** Records what still waits; called when the connection ends. */
  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const { event, instanceId } of this.waiting.splice(0)) this.record(event, instanceId);
  }

  private wait(event: ConsoleEvent, instanceId: string): void {
    this.waiting.push({ event, instanceId, until: Date.now() + SDK_TIMEOUT_MS });
    if (this.waiting.length > MAX_WAITING) this.flush(Number.POSITIVE_INFINITY);
    else this.timer ??= setInterval(() => this.flush(Date.now()), CHECK_INTERVAL_MS);
  }

  /** Records, in order, the lines whose SDK is connected or whose time is up. */
  private flush(now: number): void {
    const blocked = new Set<number>();
    const kept: Waiting[] = [];
    for (const each of this.waiting) {
      const { event, instanceId, until } = each;
      const { tabId } = event.source;
      const isConnected = instanceId === "" || this.sessions.withInstance(instanceId) !== undefined;
      if (!isConnected && until <= now) this.markAbsent(instanceId);
      const mayGo = isConnected || this.absent.has(instanceId);
      if (mayGo && !blocked.has(tabId)) this.record(event, instanceId);
      else {
        blocked.add(tabId);
        kept.push(each);
      }
    }
    this.waiting = kept;
    if (kept.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private markAbsent(instanceId: string): void {
    this.absent.add(instanceId);
    if (this.absent.size > MAX_ABSENT) this.absent.delete(this.absent.values().next().value as string);
  }

  private record(event: ConsoleEvent, instanceId: string | undefined): void {
    const app = instanceId ? this.sessions.withInstance(instanceId) : undefined;
    (app ?? this.openTab(event.source)).fromExtension(fromConsoleEvent(event));
  }

  private openTab({ tabId, url, title }: ConsoleEvent["source"]): Session {
    const session = this.sessions.open(tabSession(tabId));
    const { browser = "Chrome", browserVersion = "" } = this.info();
    session.describe({ kind: "tab", url, title, userAgent: `${browser} ${browserVersion}`.trim() });
    return session;
  }
}

/** The page load that a call id `<instanceId>:<n>` names. */
function instanceOf(callId: string | undefined): string | undefined {
  const end = callId?.lastIndexOf(":") ?? -1;
  return end > 0 ? callId?.slice(0, end) : undefined;
}

function tabSession(tabId: number): string {
  return `tab-${tabId}`;
}
