import { z } from "zod";
import { countField, lineField } from "./fields.js";

/** How large an answer may be, and where to continue. Any observing command may have these fields. */
export const budgetFields = {
  /** Maximum number of tokens of the answer; 2,000 if omitted. */
  maxTokens: z.int().min(50).max(200_000).optional(),
  /** Where the last answer stopped: its `nextCursor`. */
  cursor: lineField.optional(),
  /** Only what changed after this version of the tree, or after this sequence of the timeline. */
  since: countField.optional(),
} as const;

/** The size of an answer within a budget, and where it continues. */
export const pageSchema = z.object({
  /** Estimated tokens of the answer. */
  tokens: countField,
  /** Present when there is more. */
  nextCursor: lineField.optional(),
  /** Items that exist in all, shown or not. */
  total: countField.optional(),
});

export type AnswerPage = z.infer<typeof pageSchema>;
