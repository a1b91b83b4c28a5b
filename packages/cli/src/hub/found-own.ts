import { type FoundHub, foundHub } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import type { Hub } from "@debug-bridge/server";

/** The hub of this process, with the token that is valid now. */
export async function foundOwn({ url, token, joinAsAgent }: Hub): Promise<FoundHub> {
  const found = await foundHub(url, token);
  const only = { records: false, deltas: false, quiet: true, sessions: true, since: undefined };
  if (found) return { ...found, joinAsAgent: (session) => joinAsAgent({ ...session, ...only }) };
  throw new BridgeError("app_not_connected", `the hub at ${url} does not answer`);
}
