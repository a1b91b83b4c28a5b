import { argumentText, type ConsoleEvent, levelOf, stripControlCharacters } from "@debug-bridge/protocol";
import type { Sessions } from "../../sessions/registry.js";
import type { Session } from "../../sessions/session.js";
import type { Documents } from "./documents.js";

/** How long a tab is taken to show the same page in the same session. */
const REMEMBERED_MS = 1_000;

/** What a connection told about its browser. */
export interface BrowserInfo {
  readonly browser?: string | undefined;
  readonly browserVersion?: string | undefined;
}

/**
 * Brings console events into timelines: into that of the app when the SDK of the same page is connected, else into one
 * of the tab's own.
 */
export class ConsoleIntake {
  private readonly known = new Map<string, { session: Session; until: number }>();

  constructor(
    private readonly sessions: Sessions,
    private readonly documents: Documents,
    private readonly info: () => BrowserInfo,
  ) {}

  take(event: ConsoleEvent): void {
    if (!this.documents.isNew(event.source.documentId, event.payload.seq)) return;
    const session = this.sessionOf(event);
    const { method, args, uncaught } = event.payload;
    const level = uncaught ? "error" : levelOf(method);
    const at = Date.parse(event.timestamp);
    const first = args[0];
    session.fromConsole(
      {
        type: "console",
        level,
        args: args.map((arg) => argumentText(arg)),
        ...(method === level ? {} : { method }),
        ...(event.payload.location ? { location: event.payload.location } : {}),
      },
      {
        witness: "extension",
        level: uncaught ? "uncaught" : level,
        text: first?.type === "string" ? first.value : "",
        at,
      },
      JSON.stringify(event),
    );
  }

  /** Something was dropped before it reached the hub. */
  gap(tabId: number, dropped: number, reason: string): void {
    const session = this.sessions.open(tabSession(tabId));
    session.record("gap", Date.now(), JSON.stringify({ dropped, reason: stripControlCharacters(reason) }));
  }

  private sessionOf({ source }: ConsoleEvent): Session {
    const key = `${source.tabId} ${source.url}`;
    const now = Date.now();
    const known = this.known.get(key);
    if (known && known.until > now) return known.session;
    const session = this.sessions.withPage(source.url) ?? this.openTab(source);
    if (this.known.size > 1_000) this.known.clear();
    this.known.set(key, { session, until: now + REMEMBERED_MS });
    return session;
  }

  private openTab({ tabId, url, title }: ConsoleEvent["source"]): Session {
    const session = this.sessions.open(tabSession(tabId));
    const { browser = "Chrome", browserVersion = "" } = this.info();
    session.describe({ kind: "tab", url, title, userAgent: `${browser} ${browserVersion}`.trim() });
    return session;
  }
}

function tabSession(tabId: number): string {
  return `tab-${tabId}`;
}
