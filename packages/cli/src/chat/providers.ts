import { resolve } from "node:path";
import type { ChatProvider } from "@debug-bridge/protocol";
import { DEFAULT_TIMEOUT_S } from "../agent/hook/hook-arguments.js";
import { hasHooks, readSettings, settingsFile, withHooks } from "../agent/hook/hook-settings.js";
import { hookProgram, thisProgram } from "../this-program.js";

/** The agents that a hub of this program offers for chats. Their tools and hooks are this program again. */
export async function ownProviders(home: string): Promise<ChatProvider[]> {
  const { chatProviders } = await import("@debug-bridge/agent/chat");
  return chatProviders({ home: resolve(home), program: thisProgram() }, { claudeCode: { hookSettings } });
}

/** Our hooks for a run of Claude Code. The person's own settings may have them already. */
function hookSettings(): object | undefined {
  return hasOwnHooks()
    ? undefined
    : withHooks({}, "claude-code", hookProgram(), { timeoutS: DEFAULT_TIMEOUT_S });
}

function hasOwnHooks(): boolean {
  try {
    return hasHooks(readSettings(settingsFile("claude-code")));
  } catch {
    // Settings that cannot be read are a matter between the person and Claude Code.
    return false;
  }
}
