import type { SessionSummary } from "@debug-bridge/protocol";

/** What people call a session. */
export function sessionName({ appName, title, id }: SessionSummary): string {
  return appName ?? title ?? id;
}

/** What the person lets agents do in a tab. */
export function accessText({ level, site }: NonNullable<SessionSummary["access"]>): string {
  if (level === "full") return "shared: full access";
  return level === "read-only" ? "shared: read-only" : `shared: only ${site ?? "its site"}`;
}

/** The hub that a session is on; nothing while all sessions are on one hub. */
export function hubOf({ hubName }: SessionSummary, sessions: Iterable<SessionSummary>): string | undefined {
  for (const other of sessions) if (other.hubName !== hubName) return hubName;
  return undefined;
}
