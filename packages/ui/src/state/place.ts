import type { SessionSummary } from "@debug-bridge/protocol";
import { visibleText } from "../text/visible-text.js";

/** The sessions that an agent can work in: pages, without this one. */
export function placesIn(sessions: readonly SessionSummary[], ownUrl: string): readonly SessionSummary[] {
  return sessions.filter(
    ({ kind, connected, url }) =>
      connected && kind !== "agent" && withoutFragment(url) !== withoutFragment(ownUrl),
  );
}

/** What people call a session. */
export function placeName({ appName, title, url, id }: SessionSummary): string {
  return visibleText(appName || title || url || id);
}

const withoutFragment = (url: string | undefined): string | undefined => url?.replace(/#.*$/, "");
