import type { ActedList } from "@debug-bridge/client";
import {
  type CommandInput,
  type CommandResult,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
} from "@debug-bridge/protocol";
import type { ToolAnswer } from "../tool.js";
import { FRAME_TOKENS, fitStart } from "./fit.js";
import { errorForModel, forModel, joined, ownWords } from "./model-text.js";
import { outcomeText, shortOutcomeText } from "./outcome-text.js";

/** The receipt of one action. */
export function outcomeAnswer({ success, ...outcome }: CommandResult, maxTokens?: number): ToolAnswer {
  const text = forModel({ content: outcomeText(outcome), source: "the page", maxTokens });
  return { text, data: { success, ...outcome } };
}

/** The receipts of a list of actions, and why it ended early if it did. */
export function listAnswer(
  commands: readonly CommandInput[],
  { results, error }: ActedList,
  maxTokens = DEFAULT_MAX_TOKENS,
): ToolAnswer {
  const parts = results.map((outcome, i) => `${i + 1}: ${shortOutcomeText(outcome)}`);
  const room = Math.max(maxTokens - FRAME_TOKENS * 2, FRAME_TOKENS);
  const content = shared(parts, error ? room / 2 : room).join("\n");
  const receipts = parts.length > 0 ? [forModel({ content, source: "the page", maxTokens })] : [];
  if (!error) return { text: joined(...receipts), data: { results } };
  const notRun = commands.length - results.length - 1;
  const where = ownWords`action ${results.length + 1} of ${commands.length} failed; not run: ${notRun}`;
  const text = joined(...receipts, where, errorForModel(error, maxTokens / 2));
  return { text, data: { results, error: error.toBody(), notRun }, isError: true };
}

/** Texts within a budget: each gets an equal share of what those before it left. */
function shared(texts: readonly string[], maxTokens: number): string[] {
  let left = maxTokens;
  return texts.map((text, i) => {
    const fitted = fitStart(text, Math.floor(left / (texts.length - i)), "act with a larger maxTokens");
    left = Math.max(left - estimateTokens(fitted), 0);
    return fitted;
  });
}
