import { existsSync } from "node:fs";
import { join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import { type RootChoice, rootFor } from "../session/choose-session.js";

/** Records what hooks wrote to the spool, so that a command sees all that agents did. */
export async function readSpool(choice: RootChoice): Promise<void> {
  const root = rootFor(choice);
  if (!existsSync(join(debugPaths(root).hooks, "spool"))) return;
  const { drainSpool } = await import("@debug-bridge/agent/hook");
  try {
    drainSpool(root);
  } catch {
    // A home that cannot be written can still be read.
  }
}
