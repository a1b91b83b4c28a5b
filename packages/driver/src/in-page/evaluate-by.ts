import type { ExtraActions } from "@debug-bridge/page";
import { toData } from "@debug-bridge/page/data";
import { BridgeError, type CommandOutcome, truncate } from "@debug-bridge/protocol";

const MAX_RESULT = 1_000_000;

/** The result of code that ran in another world than the engine's. */
interface Evaluated {
  readonly text: string;
  /** The value as JSON; absent for `undefined`. */
  readonly json?: string;
}

/** Runs code in the app's own world, where the engine is not in it, and masks what comes back. */
export function evaluateBy(
  run: (code: string) => Promise<unknown>,
  enabled: boolean,
): NonNullable<ExtraActions["evaluate"]> {
  return async ({ masker }, { code }) => {
    if (!enabled)
      throw new BridgeError("eval_disabled", "evaluation is disabled; set enableEval: true to allow it");
    const { text, json } = (await run(code)) as Evaluated;
    const outcome: CommandOutcome = { result: truncate(masker.body(text), MAX_RESULT) };
    if (json !== undefined) outcome.value = toData(JSON.parse(json), masker);
    return () => outcome;
  };
}
