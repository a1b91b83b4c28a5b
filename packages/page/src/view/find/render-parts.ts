import { type AnswerPage, BridgeError, estimateTokens, truncate } from "@debug-bridge/protocol";
import type { Anchors } from "../text/render-text.js";
import type { Part } from "./search.js";

/** Renders what was found within a budget. A part is never cut in two, so that a row stays with its controls. */
export function renderParts(
  parts: readonly Part[],
  anchors: Anchors,
  { maxTokens, cursor }: { maxTokens: number; cursor: string | undefined },
): { text: string; page: AnswerPage; shown: readonly Part[] } {
  const start = cursor === undefined ? 0 : parts.findIndex((part) => cursorOf(part, anchors) === cursor);
  if (start < 0)
    throw new BridgeError(
      "cursor_expired",
      `what cursor "${truncate(cursor ?? "", 40)}" led to is gone; find again`,
    );
  const lines: string[] = [];
  let context = "";
  let tokens = 0;
  let end = start;
  for (; end < parts.length; end++) {
    const part = parts[end] as Part;
    const more = [...(part.context === context ? [] : [`in ${part.context || "the page"}`]), ...part.lines];
    const cost = estimateTokens(more.join("\n")) + 1;
    if (tokens + cost > maxTokens && end > start) break;
    // A part that is larger than the whole budget is cut in its texts, not in what can be used.
    lines.push(...(cost > maxTokens ? more.map((line) => shorten(line, maxTokens)) : more));
    context = part.context;
    tokens += cost;
  }
  const text = lines.join("\n") || "nothing matches";
  const next = parts[end];
  return {
    text,
    page: {
      tokens: estimateTokens(text),
      ...(next ? { nextCursor: cursorOf(next, anchors) } : {}),
      total: parts.length,
    },
    shown: parts.slice(start, end),
  };
}

function cursorOf({ element }: Part, anchors: Anchors): string {
  return `f${anchors.anchorOf(element)}`;
}

function shorten(line: string, maxTokens: number): string {
  return truncate(
    line.replace(/[^[\]|]{61,}/g, (run) => truncate(run, 60)),
    maxTokens * 3,
  );
}
