import { z } from "zod";
import { pageSchema } from "../budget.js";
import { blobField, durationField, idField, lineField, textField } from "../fields.js";
import { receiptSchema } from "../receipt.js";
import { fromApp, fromHub } from "./base.js";
import { uiTreeItemSchema } from "./ui-tree.js";

const resultShape = {
  requestType: lineField,
  requestId: idField.optional(),
  /** Which page load answers, if a session has several. */
  instanceId: idField.optional(),
  success: z.boolean(),
  /** The error's code. */
  error: lineField.optional(),
  /** What was wrong and what to do next. */
  message: textField.optional(),
  details: z.looseObject({ candidates: z.array(uiTreeItemSchema).max(20).optional() }).optional(),
  result: blobField.optional(),
  /** The same as JSON, if the command returns data. */
  value: z.unknown().optional(),
  page: pageSchema.optional(),
  receipt: receiptSchema.optional(),
  /** Typing and selecting: false when the app restored the old value. */
  applied: z.boolean().optional(),
  /** `unknown` when the app disconnected before it answered. */
  outcome: z.literal("unknown").optional(),
  durationMs: durationField.optional(),
} as const;

/** An app's answer to a command. */
export const commandResultSchema = fromApp("command_result", resultShape);
export type CommandResult = z.infer<typeof commandResultSchema>;

/** The hub's own answer to a command that never reached an app, or whose app disconnected. */
export const hubResultSchema = fromHub("command_result", resultShape);
export type HubResult = z.infer<typeof hubResultSchema>;
