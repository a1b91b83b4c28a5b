import type { BrowserInstruction, RunnerConfig, RunnerConfigInput } from "@debug-bridge/protocol";
import {
  browserConfigSchema,
  check,
  recoveryConfigSchema,
  runnerConfigSchema,
} from "@debug-bridge/protocol/schemas";

const FIELDS = [
  ...Object.keys(browserConfigSchema.shape),
  ...Object.keys(recoveryConfigSchema.shape),
  "logFilter",
];

/**
 * The one configuration that launching, starting and restarting use: defaults, then what the caller set, then what the
 * instruction sets.
 */
export function mergeConfig(
  ...layers: readonly (RunnerConfigInput | BrowserInstruction | undefined)[]
): RunnerConfig {
  const merged: Record<string, unknown> = {};
  for (const layer of layers) {
    for (const field of FIELDS) {
      const value = (layer as Record<string, unknown> | undefined)?.[field];
      if (value !== undefined) merged[field] = value;
    }
  }
  const decoded = check(runnerConfigSchema, merged);
  if (!decoded.ok) throw decoded.error;
  return decoded.value;
}
