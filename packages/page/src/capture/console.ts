import {
  CONSOLE_METHODS,
  type ConsoleArgument,
  type ConsoleLevel,
  type ConsoleMethod,
} from "@debug-bridge/protocol";
import { parse } from "../inert/natives.js";
import { serializeArguments } from "../inert/serialize/console-arguments.js";
import { plainText } from "../inert/serialize/plain-data.js";
import { reactiveTarget, untracked } from "../inert/serialize/reactive.js";
import type { Masker } from "../privacy/masker.js";
import type { CaptureContext } from "./context.js";
import { hookFunction, type Unhook, unhookAll } from "./hook.js";
import { callerOf } from "./stack.js";

const LEVELS: Partial<Record<ConsoleMethod, ConsoleLevel>> = {
  info: "info",
  warn: "warn",
  error: "error",
  assert: "error",
};
/** These methods print nothing, and change nothing in how other lines are shown. */
const SILENT = new Set<ConsoleMethod>(["countReset", "time"]);

/** Reports what the app prints, and still prints it. */
export function captureConsole({ window, emit, guard, masker, identity }: CaptureContext): Unhook {
  let inside = false;
  const unhooks = CONSOLE_METHODS.filter((method) => !SILENT.has(method)).map((method) =>
    hookFunction(window.console as unknown as Record<ConsoleMethod, unknown>, method, {
      call(original, self, args) {
        const print = (): unknown => Reflect.apply(original, self, args);
        if (inside) return print();
        // Reading the arguments may run traps of a proxy of the app, which may print.
        inside = true;
        const callId = identity?.nextCall();
        guard.run(() => report(method, args, callId));
        inside = false;
        return callId === undefined ? print() : identity?.during(callId, print);
      },
    }),
  );

  const report = (method: ConsoleMethod, args: unknown[], callId: string | undefined): void => {
    if (method === "assert" && args[0]) return;
    const isAssert = method === "assert";
    const level = LEVELS[method] ?? "log";
    const location = callerOf(new Error());
    emit({
      type: "console",
      level,
      ...describeArguments(
        isAssert ? ["Assertion failed", ...args.slice(1)] : args,
        masker,
        isAssert ? 1 : 0,
      ),
      ...(method === level ? {} : { method }),
      ...(location ? { location } : {}),
      ...(callId === undefined ? {} : { callId }),
    });
  };

  return unhookAll(unhooks);
}

/** Values as data and as text, without running code of the app. */
export function describeArguments(
  args: readonly unknown[],
  masker: Masker,
  formatAt = 0,
): { args: string[]; values: ConsoleArgument[] } {
  const text = untracked(() =>
    serializeArguments(args, { censor: masker, targetOf: reactiveTarget }, formatAt),
  );
  const values = parse(text) as ConsoleArgument[];
  return { args: values.map(plainText), values };
}
