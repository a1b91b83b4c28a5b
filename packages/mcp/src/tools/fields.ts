import { targetSchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { withoutLimits } from "./without-limits.js";

export const sessionField = z
  .string()
  .optional()
  .describe("session id; by default the only one connected, else the tab in front, else the one used last");

export const maxTokensField = z
  .int()
  .min(100)
  .max(50_000)
  .optional()
  .describe("budget of the answer, 2,000 by default");

export const targetField = withoutLimits(targetSchema).describe(
  "one of ref (from observe, such as e12), text, role with name, selector, id; point in CSS pixels",
);
