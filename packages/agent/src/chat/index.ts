/** The agents that people can talk to in chats. */
import type { ChatProvider } from "@debug-bridge/protocol";
import { acpProviders } from "./acp/acp.js";
import { type ClaudeCodeOptions, claudeCodeProvider } from "./claude/claude-code.js";
import { codexProvider } from "./codex/codex.js";
import type { ChatEnvironment } from "./environment.js";
import { referenceProvider } from "./reference.js";

export type { ChatEnvironment } from "./environment.js";

/** Every provider, in the order in which one is chosen for a chat that names none. */
export function chatProviders(
  environment: ChatEnvironment,
  options: { readonly claudeCode: ClaudeCodeOptions },
): ChatProvider[] {
  return [
    codexProvider(environment),
    claudeCodeProvider(environment, options.claudeCode),
    referenceProvider(environment),
    ...acpProviders(environment),
  ];
}
