import { type FoundHub, findHubs, type HubAddress, HubClient, noHub } from "@debug-bridge/client";
import { chooseSession } from "@debug-bridge/mcp";
import type { SessionSummary } from "@debug-bridge/protocol";

/** A session, and the hub that has it. */
export interface HubSession extends SessionSummary {
  readonly hub: string;
}

/** The sessions of one hub. */
export async function sessionsOf(found: FoundHub): Promise<HubSession[]> {
  const sessions = await new HubClient({ hub: async () => found, name: "cli" }).sessions();
  return sessions.map((session) => ({ ...session, hub: found.url }));
}

/** Hubs that share a bus list each other's sessions: each of these is kept once. */
export function distinctSessions(lists: readonly (readonly HubSession[])[]): HubSession[] {
  const seen = new Set<string>();
  return lists.flat().filter(({ id, hub, hubName }) => {
    const name = `${hubName ?? hub} ${id.replace(`@${hubName}`, "")}`;
    return seen.size < seen.add(name).size;
  });
}

/**
 * The hub of a session, and the session when none is named: the only one that is connected to any hub of the home, else
 * the tab in front, else the one that was used last.
 */
export async function findSessionHub(
  address: HubAddress,
  session: string | undefined,
): Promise<{ hub: FoundHub; session: string | undefined }> {
  const hubs = await findHubs(address);
  const [newest] = hubs;
  if (newest === undefined) throw noHub(address);
  if (hubs.length === 1) return { hub: newest, session };
  // One that is lost right now must not keep this command from the others.
  const lists = await Promise.all(hubs.map((hub) => sessionsOf(hub).catch(() => [])));
  const all = distinctSessions(lists);
  const chosen = session === undefined ? chooseSession(all, "page") : all.find(({ id }) => id === session);
  const hub = hubs.find(({ url }) => url === chosen?.hub) ?? newest;
  return { hub, session: chosen?.id ?? session };
}
