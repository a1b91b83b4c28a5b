import {
  type ConsoleEvent,
  fromConsoleEvent,
  originOf,
  stripControlCharacters,
} from "@debug-bridge/protocol";
import { steadyNow } from "../../bounds/steady-clock.js";
import type { Owner } from "../../sessions/owner.js";
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

const TAB: Owner = { kind: "hub", sessions: "tab" };
const PROGRAM: Owner = { kind: "console" };

/**
 * Brings console events into timelines. Those of the extension go into that of the app when the SDK that names the call is
 * connected and the line is from a document of that app, otherwise into that of the tab. Those of a program that did not
 * prove to be the extension go into separate sessions.
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
    /** Whether the peer proved that it is the person's extension. */
    private readonly isProven: boolean,
  ) {}

  route(event: ConsoleEvent): void {
    if (!this.documents.isNew(event.source.documentId, event.payload.seq)) return;
    const instanceId = this.isProven ? instanceOf(event.payload.callId) : undefined;
    // A line never overtakes one of its tab that still waits.
    if (instanceId !== undefined && !this.absent.has(instanceId) && !this.appOf(event, instanceId))
      this.wait(event, instanceId);
    else if (this.waiting.some((each) => each.event.source.tabId === event.source.tabId))
      this.wait(event, instanceId ?? "");
    else this.record(event, instanceId);
  }

  /** Records that something was dropped before it reached the hub. */
  recordGap(tabId: number, dropped: number, reason: string): void {
    this.openSession(tabId).record(
      "gap",
      Date.now(),
      JSON.stringify({ dropped, reason: stripControlCharacters(reason) }),
    );
  }

  /** Records what still waits; called when the connection ends. */
  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const { event, instanceId } of this.waiting.splice(0)) this.record(event, instanceId);
  }

  private wait(event: ConsoleEvent, instanceId: string): void {
    this.waiting.push({ event, instanceId, until: steadyNow() + SDK_TIMEOUT_MS });
    if (this.waiting.length > MAX_WAITING) this.flush(Number.POSITIVE_INFINITY);
    else this.timer ??= setInterval(() => this.flush(steadyNow()), CHECK_INTERVAL_MS);
  }

  /** Records, in order, the lines whose SDK is connected or whose time is up. */
  private flush(now: number): void {
    const blocked = new Set<number>();
    const kept: Waiting[] = [];
    for (const each of this.waiting) {
      const { event, instanceId, until } = each;
      const { tabId } = event.source;
      const isConnected = instanceId === "" || this.appOf(event, instanceId) !== undefined;
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
    const app = instanceId ? this.appOf(event, instanceId) : undefined;
    (app ?? this.openTab(event.source)).fromExtension(fromConsoleEvent(event));
  }

  private openTab({ tabId, url, title }: ConsoleEvent["source"]): Session {
    const session = this.openSession(tabId);
    const { browser = "Chrome", browserVersion = "" } = this.info();
    session.describe({ kind: "tab", url, title, userAgent: `${browser} ${browserVersion}`.trim() });
    return session;
  }

  /** The session of the app whose page load and origin the line has. */
  private appOf({ source }: ConsoleEvent, instanceId: string): Session | undefined {
    return this.sessions.withInstance(instanceId, originOf(source.frameUrl ?? source.url));
  }

  /** A program that is not the extension never writes into the session of a tab that the extension reported. */
  private openSession(tabId: number): Session {
    const id = tabSession(tabId);
    if (this.isProven) return this.sessions.openFor(id, TAB);
    const isTaken = this.sessions.get(id)?.ownership.owner?.kind === "hub";
    return this.sessions.openFor(isTaken ? `console-${id}` : id, PROGRAM);
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
