import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { answerPairing, type FoundHub, pairExtension, requireHub } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import type { CommonOptions } from "../options.js";
import { printJson, printLine, printText } from "../terminal/output.js";
import { paint } from "../terminal/style.js";

const STEPS = `Waiting for the extension (at most two minutes; Ctrl+C to stop).
In Chrome, click its icon and choose "Pair with this computer".
`;

/**
 * Pairs a copy of the extension that was not loaded from the home. Popup and terminal show a code each; the person says
 * in both whether they are the same.
 */
export async function pairByCode(options: CommonOptions): Promise<void> {
  const hub = await requireHub(options);
  if (hub.token === undefined)
    throw new BridgeError(
      "auth_required",
      `the hub at ${hub.url} did not prove that it knows the token of this home; use its home (--home DIR)`,
    );
  const controller = new AbortController();
  const input = createInterface({ input: process.stdin });
  try {
    for await (const progress of pairExtension(hub, controller.signal)) {
      if (options.json) await printJson(progress);
      // Only now does the hub expect the popup.
      else if (progress.state === "waiting")
        printText(
          progress.problem === undefined
            ? STEPS
            : `That did not work: ${progress.problem}. Try again in the popup.\n`,
        );
      // The answer is not awaited: meanwhile the popup may cancel.
      if (progress.state === "compare") void ask(hub, input, progress.code, options.json ?? false);
      if (progress.state === "failed") throw new BridgeError("timeout", `not paired: ${progress.reason}`);
      if (progress.state === "paired" && !options.json) printLine("Paired. The extension connects now.");
    }
  } finally {
    controller.abort();
    input.close();
  }
}

async function ask(hub: FoundHub, input: Interface, code: string, isJson: boolean): Promise<void> {
  if (!isJson)
    printText(
      `The popup must show this code: ${paint("bold", `${code.slice(0, 3)} ${code.slice(3)}`)}\nDoes it? Type yes or no: `,
    );
  const [line] = (await once(input, "line")) as [string];
  const isSame = /^\s*y(es)?\s*$/i.test(line);
  // When the popup has cancelled, there is nothing left to answer.
  await answerPairing(hub, code, isSame).catch(() => {});
  if (!isJson && isSame) printLine("Now confirm it in the popup too.");
}
