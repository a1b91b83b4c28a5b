import { BridgeError } from "@debug-bridge/protocol";
import { type ActionContext, type ActionYield, type InstructionOf, sleep } from "./context.js";
import { isNamed, withElement } from "./named-element.js";

const DEFAULT_PAUSE_MS = 1_000;
const DEFAULT_WAIT_MS = 10_000;
const POLL_MS = 50;

/** Waits for a time, a text, an element, or a text and then an element. */
export async function wait(context: ActionContext, instruction: InstructionOf<"wait">): Promise<ActionYield> {
  const { text, ms } = instruction;
  if (text === undefined && !isNamed(instruction)) {
    await sleep(ms ?? DEFAULT_PAUSE_MS);
    return { result: { waitedMs: ms ?? DEFAULT_PAUSE_MS } };
  }
  const maxMs = ms ?? DEFAULT_WAIT_MS;
  const startedAt = performance.now();
  if (text !== undefined) await context.commands.run({ type: "wait_for", text, maxMs });
  if (isNamed(instruction)) await waitForElement(context, instruction, startedAt + maxMs);
  return { result: { waitedMs: Math.round(performance.now() - startedAt) } };
}

async function waitForElement(
  context: ActionContext,
  instruction: InstructionOf<"wait">,
  deadline: number,
): Promise<void> {
  for (;;) {
    try {
      const left = Math.max(1, deadline - performance.now());
      // Patterns are tried in turn, so none of them may use up all of the time.
      const maxMs = instruction.targets === undefined ? left : Math.min(left, POLL_MS);
      await withElement(context, instruction, (target) =>
        context.commands.run({ type: "wait_for", target, maxMs }),
      );
      return;
    } catch (thrown) {
      const { code } = BridgeError.from(thrown);
      if (performance.now() >= deadline || !["target_not_found", "timeout"].includes(code)) throw thrown;
      await sleep(POLL_MS);
    }
  }
}
