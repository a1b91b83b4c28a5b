import { setTimeout as sleep } from "node:timers/promises";
import { activeSessions, debugPaths, watchFile } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { printMessage } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";
import { type AgentSession, chooseSession, rootFor, type SessionChoice } from "./choose-session.js";

/** For agents of other programs, which may not change the index. */
const CHECK_INTERVAL_MS = 1_000;

/** The session that runs now, or the first that starts. */
export async function waitForSession(choice: SessionChoice): Promise<AgentSession> {
  const root = rootFor(choice);
  let found = runningSession(root, choice);
  if (found) return found;
  const which = choice.session === undefined ? "an agent" : `the agent "${choice.session}"`;
  printMessage(paint("dim", `waiting for ${which} to start (Ctrl+C to stop)`));
  while (!found) {
    await nextChange(root);
    found = runningSession(root, choice);
  }
  return found;
}

function runningSession(root: string, choice: SessionChoice): AgentSession | undefined {
  const running = activeSessions(root);
  if (running.length === 0) return undefined;
  try {
    const session = chooseSession(choice);
    return running.some(({ id }) => id === session.id) ? session : undefined;
  } catch (thrown) {
    // It does not exist yet.
    if (thrown instanceof BridgeError && thrown.code === "session_not_found") return undefined;
    throw thrown;
  }
}

async function nextChange(root: string): Promise<void> {
  const controller = new AbortController();
  const stop = watchFile(debugPaths(root).index, () => controller.abort());
  await sleep(CHECK_INTERVAL_MS, undefined, { signal: controller.signal }).catch(() => {});
  stop();
}
