import { evaluate } from "@debug-bridge/page/evaluate";
import { toData, toText } from "@debug-bridge/page/serialize";
import { BridgeError } from "@debug-bridge/protocol";

const TEXT_LIMITS = { depth: 24, nodes: 20_000, string: 1_000_000 };

/** Runs an agent's code where the app's own code runs; the answer is JSON of `{ value }` or `{ error }`. */
export async function run(code: string): Promise<string> {
  try {
    const value = await evaluate(code);
    const text = toText(value, undefined, TEXT_LIMITS);
    return JSON.stringify({
      value: value === undefined ? { text } : { text, json: JSON.stringify(toData(value)) },
    });
  } catch (thrown) {
    return JSON.stringify({ error: BridgeError.from(thrown).toBody() });
  }
}

/** What was printed, as text, without running code of the app. */
export function describe(values: unknown[]): string[] {
  return values.map((value) => toText(value));
}
