import { readFileSync } from "node:fs";
import { runHook } from "@debug-bridge/agent/hook";

const DEFAULT_TIMEOUT_S = 600;

/**
 * Answers a hook. An agent waits for it at every tool, so this is all that is loaded; and whatever goes wrong here, the
 * agent goes on.
 */
export async function hookEntry(argv: readonly string[]): Promise<void> {
  try {
    const seconds = Number(argv[4] ?? DEFAULT_TIMEOUT_S);
    const timeoutMs = (seconds > 0 ? seconds : DEFAULT_TIMEOUT_S) * 1_000;
    const answer = await runHook(readFileSync(0, "utf8"), { timeoutMs });
    if (answer !== "") process.stdout.write(`${answer}\n`);
  } catch (thrown) {
    process.stderr.write(`debug-bridge: this hook did nothing: ${(thrown as Error).message}\n`);
  }
}
