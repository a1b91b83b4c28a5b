import { join } from "node:path";
import { temporaryFolder } from "../../fixtures.js";
import { CLAUDE, claudeEnvironment } from "../../support/agents/agent-programs.js";
import type { ModelTurn, startModelServer } from "../../support/agents/model-server.js";
import { type HookedAgent, installHooks, startHooked } from "./hooked-agent.js";

export interface ClaudeOptions {
  /** Arguments of `hook install`. */
  readonly install?: readonly string[];
  /** Arguments of Claude Code. */
  readonly args?: readonly string[];
  /** Whether every tool may run without a question; else what its own rules say. */
  readonly allowAll?: boolean;
}

/** Starts Claude Code with our hooks and waits for its session. Its model waits until `begin` is called. */
export function startClaude(
  home: string,
  turns: Parameters<typeof startModelServer>[0],
  { install = [], args = [], allowAll = true }: ClaudeOptions = {},
): Promise<HookedAgent> {
  return startHooked(home, turns, async ({ url }) => {
    const config = temporaryFolder();
    await installHooks(home, "claude-code", join(config, "settings.json"), install);
    const permissions = allowAll ? ["--dangerously-skip-permissions"] : [];
    return {
      command: CLAUDE,
      args: ["-p", ...permissions, ...args, "fix the shop"],
      env: claudeEnvironment(url, config),
    };
  });
}

/** What the model was sent in a request, as text. */
export const toldModel = ({ server }: HookedAgent, request: number): string =>
  JSON.stringify(server.requests[request]?.body.messages);

export const bash = (command: string): ModelTurn => ({
  tool: "Bash",
  input: { command, description: "a step" },
});
