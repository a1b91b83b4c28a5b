import { join } from "node:path";
import { temporaryFolder } from "../../fixtures.js";
import { CODEX, CODEX_SANDBOX, writeCodexConfig } from "../../support/agents/agent-programs.js";
import type { ModelTurn } from "../../support/agents/model-server.js";
import { type HookedAgent, installHooks, startHooked } from "./hooked-agent.js";

export interface RunningCodex extends HookedAgent {
  /** What it printed of items of a type. */
  // biome-ignore lint/suspicious/noExplicitAny: items of every shape.
  items(type: string): any[];
}

/** Starts Codex with our hooks and waits for its session. Its model waits until `begin` is called. */
export async function startCodex(home: string, turns: readonly ModelTurn[]): Promise<RunningCodex> {
  const agent = await startHooked(home, turns, async ({ url }) => {
    const codexHome = temporaryFolder();
    writeCodexConfig(codexHome, url);
    await installHooks(home, "codex", join(codexHome, "hooks.json"));
    const trust = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", CODEX_SANDBOX];
    return {
      command: CODEX,
      args: ["exec", "--json", ...trust, "fix the shop"],
      env: { CODEX_HOME: codexHome },
    };
  });
  return {
    ...agent,
    items: (type) =>
      agent.output.stdout
        .split("\n")
        .filter((line) => line.includes('"item.completed"'))
        .map((line) => JSON.parse(line).item)
        .filter((item) => item.type === type),
  };
}

/** What the model was sent in a request, as text. */
export const sentTo = ({ server }: RunningCodex, request: number): string =>
  JSON.stringify(server.requests[request]?.body.input);
