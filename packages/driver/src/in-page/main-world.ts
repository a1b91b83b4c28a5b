import { toData, toResultText } from "@debug-bridge/page/data";
import { evaluate } from "@debug-bridge/page/evaluate";
import { defaultCensor, reactiveTarget, serializeArguments, untracked } from "@debug-bridge/page/inert";
import { BridgeError } from "@debug-bridge/protocol";

export { answerWhoReacts } from "./listeners.js";

/** Runs an agent's code where the app's own code runs. Returns JSON of `{ value }` or `{ error }`. */
export async function run(code: string): Promise<string> {
  try {
    const value = await evaluate(code);
    const text = toResultText(value);
    return JSON.stringify({
      value: value === undefined ? { text } : { text, json: JSON.stringify(toData(value)) },
    });
  } catch (thrown) {
    return JSON.stringify({ error: BridgeError.from(thrown).toBody() });
  }
}

/** What was printed, as the JSON of a list of console arguments, without running code of the app. */
export function describe(values: unknown[]): string {
  return untracked(() => serializeArguments(values, { censor: defaultCensor, targetOf: reactiveTarget }));
}
