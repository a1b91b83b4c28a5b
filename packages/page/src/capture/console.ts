import { CONSOLE_METHODS, type ConsoleLevel, type ConsoleMethod, FIELD_LIMITS } from "@debug-bridge/protocol";
import { toText } from "../serialize.js";
import type { CaptureContext } from "./context.js";
import { hookFunction, type Unhook } from "./hook.js";
import { callerOf } from "./stack.js";

const LEVELS: Partial<Record<ConsoleMethod, ConsoleLevel>> = {
  info: "info",
  warn: "warn",
  error: "error",
  assert: "error",
};
/** These print nothing of their own. */
const SILENT = new Set<ConsoleMethod>(["groupEnd", "countReset", "time"]);

/** Reports what the app prints, and lets it print. */
export function captureConsole({ window, emit, guard, masker }: CaptureContext): Unhook {
  let inside = false;
  const unhooks = CONSOLE_METHODS.filter((method) => !SILENT.has(method)).map((method) =>
    hookFunction(window.console as unknown as Record<ConsoleMethod, unknown>, method, {
      call(original, self, args) {
        if (!inside) {
          // Reading the arguments may run traps of a proxy of the app, which may print.
          inside = true;
          guard.run(() => report(method, args));
          inside = false;
        }
        return Reflect.apply(original, self, args);
      },
    }),
  );

  const report = (method: ConsoleMethod, args: unknown[]): void => {
    if (method === "assert" && args[0]) return;
    const printed = method === "assert" ? ["Assertion failed", ...args.slice(1)] : args;
    const level = LEVELS[method] ?? "log";
    const location = callerOf(new Error());
    emit({
      type: "console",
      level,
      args: printed.slice(0, FIELD_LIMITS.consoleArgs).map((arg) => toText(arg, masker)),
      ...(method === level ? {} : { method }),
      ...(location ? { location } : {}),
    });
  };

  return () => {
    for (const unhook of unhooks) unhook();
  };
}
