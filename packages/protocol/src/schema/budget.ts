import { z } from "zod";
import { countField, lineField } from "./fields.js";

/** How large an answer may be, and where to go on. Fields that any observing command may carry. */
export const budgetFields = {
  /** Most tokens that the answer may cost a language model; 2,000 when left out. */
  maxTokens: z.int().min(50).max(200_000).optional(),
  /** Where the last answer stopped; taken from its `nextCursor`. */
  cursor: lineField.optional(),
  /** Only what changed after this version of the tree, or after this sequence of the timeline. */
  since: countField.optional(),
} as const;

/** What an answer within a budget says about itself. */
export const pageSchema = z.object({
  /** Estimated tokens of the answer. */
  tokens: countField,
  /** Present when there is more. */
  nextCursor: lineField.optional(),
  /** Items that exist in all, shown or not. */
  total: countField.optional(),
});

export type AnswerPage = z.infer<typeof pageSchema>;
