import { targetSchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import type { ModelField } from "../definition.js";
import { withoutLimits } from "./without-limits.js";

/** For fields that a tool's description explains; the one of `sessions` does so for all tools. */
export const EXPLAINED = { explained: true } as const satisfies ModelField;

export const sessionField = z
  .string()
  .optional()
  .describe("session id; by default the only one connected, else the tab in front, else the one used last")
  .meta(EXPLAINED);

export const maxTokensField = z
  .int()
  .min(100)
  .max(50_000)
  .optional()
  .describe("budget of the answer, 2,000 by default")
  .meta(EXPLAINED);

/** The same for tools that need it rarely: the description of `sessions` says that every tool takes it. */
export const rareMaxTokensField = maxTokensField.meta({ hidden: true } satisfies ModelField);

export const cursorField = z.string().optional().describe("continues the last answer").meta(EXPLAINED);

const TARGET = "{ref}, {text}, {role, name}, {selector}, {id} or {point: {x, y}}";

export const targetField = withoutLimits(targetSchema)
  .optional()
  .describe(TARGET)
  .meta({ shown: { type: "object", description: TARGET } } satisfies ModelField);

/** The same for tools that need it less often. */
export const partField = withoutLimits(targetSchema)
  .optional()
  .describe(TARGET)
  .meta({ shown: { type: "object", description: "element, as in act" } } satisfies ModelField);

/** The fields that were given. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
