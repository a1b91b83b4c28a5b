import type { SessionSummary } from "./schema/api.js";

/**
 * The session that a person has in front: the active tab, or the only page there is.
 *
 * @example frontSession(await hub.sessions())?.id
 */
export function frontSession(sessions: readonly SessionSummary[]): SessionSummary | undefined {
  const pages = sessions.filter((each) => each.connected && each.kind !== "agent");
  const active = pages.filter((each) => each.active === true);
  const [front, ...others] = active.length > 0 ? active : pages;
  return others.length === 0 ? front : undefined;
}
