import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@debug-bridge/journal";

/** Where the hub of a home is, when one runs: `$DEBUG_BRIDGE_HUB`, else what the hub itself wrote. */
export function runningHubUrl(root: string): string | undefined {
  if (process.env.DEBUG_BRIDGE_HUB) return process.env.DEBUG_BRIDGE_HUB;
  try {
    const { url, pid } = JSON.parse(readFileSync(join(root, "hub.json"), "utf8")) as {
      url: unknown;
      pid: unknown;
    };
    return typeof url === "string" && typeof pid === "number" && isAlive({ pid }) ? url : undefined;
  } catch {
    return undefined;
  }
}
