import { MASK } from "@debug-bridge/protocol";
import { isSecretName } from "../inert/secrets/secret-names.js";
import type { CaptureContext } from "./context.js";
import { hookFunction, type Unhook, unhookAll } from "./hook.js";

/**
 * Reports the texts of `alert`, `confirm` and `prompt` and the person's answers as console lines. They still block the
 * page until someone answers, so the text is reported before and the answer after.
 */
export function captureDialogs({ window, emit, guard, masker }: CaptureContext): Unhook {
  const unhooks = (["alert", "confirm", "prompt"] as const).map((method) =>
    hookFunction(window, method, {
      call(original, self, args) {
        const report = (...lines: string[]): void =>
          guard.run(() =>
            emit({ type: "console", level: "info", method, args: lines.map((line) => masker.body(line)) }),
          );
        const text = args.length > 0 ? (guard.run(() => String(args[0])) ?? "") : "";
        report(text);
        const answer = Reflect.apply(original, self, args);
        if (method === "alert") return answer;
        const secret = method === "prompt" && isSecretName(text);
        if (secret && typeof answer === "string") guard.run(() => masker.remember(answer));
        report(text, `answered ${answer === null ? "nothing" : secret ? MASK : String(answer)}`);
        return answer;
      },
    }),
  );
  return unhookAll(unhooks);
}
