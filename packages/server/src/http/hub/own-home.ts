import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import type { HasItem } from "../../bus/remote/homes.js";
import type { ChatPort } from "./chats.js";

/** What a hub can answer for from its home: its chats, its runs that go on and their agents, its recordings. */
export function homeHas(home: string, { store, runs }: Pick<ChatPort, "store" | "runs">): HasItem {
  const { sessions } = debugPaths(home);
  return (what, id) => {
    if (what === "chat") return store.has(id);
    if (what === "run") return runs.isRunning(id);
    if (what === "agent") return runs.isAgentOfRun(id);
    // An id is a name in a folder, never a path.
    if (basename(id) !== id || id.startsWith(".")) return false;
    return lstatSync(join(sessions, id), { throwIfNoEntry: false })?.isDirectory() ?? false;
  };
}
