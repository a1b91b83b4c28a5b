import { MASK } from "@debug-bridge/protocol";
import type { DialogAnswer } from "../act/dialog-rules.js";
import { isSecretName } from "../inert/secrets/secret-names.js";
import type { CaptureContext } from "./context.js";
import { hookFunction, type Unhook, unhookAll } from "./hook.js";

export interface DialogContext extends CaptureContext {
  /** The bridge's own answer; none leaves the dialog to the person. */
  answerDialog(method: string, preset: unknown): DialogAnswer | undefined;
}

/**
 * Reports the texts of `alert`, `confirm` and `prompt` and their answers as console lines. Those that a person answers
 * block the page until then, so the text is reported before and the answer after.
 */
export function captureDialogs({ window, emit, guard, masker, answerDialog }: DialogContext): Unhook {
  const unhooks = (["alert", "confirm", "prompt"] as const).map((method) =>
    hookFunction(window, method, {
      call(original, self, args) {
        const report = (...lines: string[]): void =>
          guard.run(() =>
            emit({ type: "console", level: "info", method, args: lines.map((line) => masker.body(line)) }),
          );
        const text = args.length > 0 ? (guard.run(() => String(args[0])) ?? "") : "";
        report(text);
        const ours = guard.run(() => answerDialog(method, args[1]));
        const answer = ours ? ours.value : Reflect.apply(original, self, args);
        if (method === "alert") return undefined;
        const secret = method === "prompt" && isSecretName(text);
        if (secret && typeof answer === "string") guard.run(() => masker.remember(answer));
        const shown = answer === null ? "nothing" : secret ? MASK : String(answer);
        report(text, ours?.text ?? `answered ${shown}`);
        return answer;
      },
    }),
  );
  return unhookAll(unhooks);
}
