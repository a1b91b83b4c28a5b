import { announcedHubs } from "@debug-bridge/client/files";

/** Where the hub of a home is, when one runs: `$DEBUG_BRIDGE_HUB`, else the newest that announced itself. */
export function runningHubUrl(root: string): string | undefined {
  return process.env.DEBUG_BRIDGE_HUB || announcedHubs(root)[0]?.url;
}
