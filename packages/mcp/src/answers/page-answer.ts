import type { CommandOutcome } from "@debug-bridge/protocol";
import type { ToolAnswer } from "../tool.js";
import { FRAME_TOKENS } from "./fit.js";
import { forModel, type OwnWords, ownWords, safeCursor, safeNumber } from "./model-text.js";

interface PageAnswerOptions {
  /** What the total counts: one, and several. */
  readonly unit: readonly [one: OwnWords, several: OwnWords];
  /** What to do when a page does not keep to the budget. */
  readonly advice: string;
  /** Whether the answer says where the page is. */
  readonly showsUrl?: boolean;
}

/** A part of a page as text, with its version and where it continues. */
export function pageAnswer(
  { result = "", value, page }: CommandOutcome,
  maxTokens: number,
  { unit, advice, showsUrl = false }: PageAnswerOptions,
): ToolAnswer {
  const { version, url, matches } = (value ?? {}) as { version?: unknown; url?: unknown; matches?: unknown };
  const cursor = safeCursor(page?.nextCursor);
  const counts = { version: safeNumber(version), total: safeNumber(page?.total) };
  const total =
    counts.total === undefined ? ownWords`` : ownWords`, ${counts.total} ${unit[counts.total === 1 ? 0 : 1]}`;
  const more = cursor === undefined ? ownWords`` : ownWords`; there is more: cursor ${cursor}`;
  const text = forModel({
    content: showsUrl && typeof url === "string" && !result.includes(url) ? `at ${url}\n${result}` : result,
    source: "the page",
    note: ownWords`version ${counts.version ?? ownWords`unknown`}${total}${more}`,
    // The page keeps to the budget itself; this is for one that does not.
    maxTokens: maxTokens + 2 * FRAME_TOKENS,
    advice,
  });
  const next = cursor === undefined ? {} : { nextCursor: cursor };
  const found = Array.isArray(matches) ? { matches } : {};
  return { text, data: { text, ...counts, tokens: page?.tokens ?? 0, ...found, ...next } };
}
