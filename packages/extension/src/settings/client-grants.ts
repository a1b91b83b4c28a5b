import { GRANTS, type Grant } from "@debug-bridge/protocol";

/** Grants by the name of the client. */
export type ClientGrants = Readonly<Record<string, readonly Grant[]>>;

const MAX_CLIENTS = 100;

/** Reads stored grants of any shape. */
export function readGrants(stored: unknown): ClientGrants {
  const entries = Object.entries(Object(stored) as Record<string, unknown>)
    .map(
      ([client, list]) =>
        [client, GRANTS.filter((each) => Array.isArray(list) && list.includes(each))] as const,
    )
    .filter(([, list]) => list.length > 0);
  return Object.fromEntries(entries.slice(-MAX_CLIENTS));
}

export function addGrant(grants: ClientGrants, client: string, grant: Grant): ClientGrants {
  return readGrants({ ...grants, [client]: [...(grants[client] ?? []), grant] });
}
