import type { HookOptions } from "@debug-bridge/agent/hook";

/** How long an agent waits for a hook. */
export const DEFAULT_TIMEOUT_S = 600;

/** Reads the arguments of a hook, which `hook install` wrote. Whatever is wrong has its default: an agent waits. */
export function parseHookArguments(words: readonly string[]): HookOptions {
  const after = (name: string): string | undefined => {
    const at = words.indexOf(name);
    return at === -1 ? undefined : words[at + 1];
  };
  const seconds = Number(after("--timeout"));
  const agent = after("--for");
  return {
    timeoutMs: (seconds > 0 ? seconds : DEFAULT_TIMEOUT_S) * 1_000,
    ...(after("--on-timeout") === "deny" ? { onTimeout: "deny" } : {}),
    ...(agent === undefined ? {} : { agent }),
  };
}
