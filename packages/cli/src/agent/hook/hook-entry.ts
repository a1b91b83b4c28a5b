import { readFileSync } from "node:fs";
import { runHook } from "@debug-bridge/agent/hook";
import { printMessage, printRendered } from "../../terminal/output.js";

const DEFAULT_TIMEOUT_S = 600;

/**
 * Answers a hook. An agent waits for it at every tool, so nothing else is loaded. If anything fails here, the agent
 * continues.
 */
export async function hookEntry(argv: readonly string[]): Promise<void> {
  try {
    const seconds = Number(argv[4] ?? DEFAULT_TIMEOUT_S);
    const timeoutMs = (seconds > 0 ? seconds : DEFAULT_TIMEOUT_S) * 1_000;
    const answer = await runHook(readFileSync(0, "utf8"), { timeoutMs });
    // It is JSON for the agent.
    if (answer !== "") printRendered(`${answer}\n`);
  } catch (thrown) {
    printMessage(`debug-bridge: this hook did nothing: ${(thrown as Error).message}`);
  }
}
