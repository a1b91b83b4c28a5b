import type { SessionSummary } from "@debug-bridge/protocol";

/** The session that the person has in front: the active tab, or the only page there is. Otherwise the tools choose. */
export function frontSession(sessions: readonly SessionSummary[]): string | undefined {
  const pages = sessions.filter((each) => each.connected && each.kind !== "agent");
  const active = pages.filter((each) => each.active === true);
  const [front, ...others] = active.length > 0 ? active : pages;
  return others.length === 0 ? front?.id : undefined;
}
