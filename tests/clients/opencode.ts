import { join } from "node:path";
import { type HookedAgent, installHooks, startHooked } from "../e2e/agent/hooked-agent.js";
import { temporaryFolder } from "../fixtures.js";
import { opencodeConfig, opencodeEnvironment } from "../support/agents/agent-programs.js";
import type { ModelTurn } from "../support/agents/model-server.js";
import { installedClient } from "../support/hub/installed-client.js";

/** The program of opencode, which is too large to be installed with the project. */
export const opencodeProgram = async (): Promise<string> =>
  join(await installedClient("opencode-ai", "1.18.33"), "opencode");

/** Starts opencode with our plugin and waits for its session. Its model waits until `begin` is called. */
export async function startOpencode(home: string, turns: readonly ModelTurn[]): Promise<HookedAgent> {
  const command = await opencodeProgram();
  let at = 0;
  const next = (request: string): ModelTurn =>
    // It also asks for a title, without tools.
    request.includes('"tools":[') ? (turns[at++] ?? { text: "Nothing is left." }) : { text: "A title" };
  return startHooked(home, next, async ({ url }, cwd) => {
    const own = temporaryFolder();
    const env = opencodeEnvironment(url, own, cwd);
    await installHooks(home, "opencode", join(opencodeConfig(own), "plugins", "debug-bridge.js"));
    return { command, args: ["run", "fix the shop"], env };
  });
}
