import { readFileSync } from "node:fs";
import { runHook } from "@debug-bridge/agent/hook";
import { printMessage, printRaw } from "../../terminal/output.js";
import { parseHookArguments } from "./hook-arguments.js";

/**
 * Answers a hook. An agent waits for it at every tool, so nothing else is loaded. If anything fails here, the agent
 * continues.
 */
export async function hookEntry(argv: readonly string[]): Promise<void> {
  try {
    const answer = await runHook(readFileSync(0, "utf8"), parseHookArguments(argv.slice(3)));
    // It is JSON for the agent.
    if (answer !== "") printRaw(`${answer}\n`);
  } catch (thrown) {
    printMessage(`debug-bridge: this hook did nothing: ${(thrown as Error).message}`);
  }
}
