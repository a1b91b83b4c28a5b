import {
  type AnswerPage,
  BridgeError,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  type UiTreeItem,
} from "@debug-bridge/protocol";
import type { Difference } from "../tree/ui-tree-history.js";
import { itemLine, quoted } from "./outline/item-line.js";
import type { ReadingChanges } from "./reading/reading.js";

const MAX_TEXT = 500;

/** The differences since a version as lines: `+` new, `-` gone, `~` changed. Text is in quotes. */
export function renderChanges(
  difference: Difference,
  { text: { added, removed, passing }, looks }: ReadingChanges,
  isWhole: boolean,
  options: { since: number; version: number; maxTokens?: number | undefined; cursor?: string | undefined },
): { text: string; page: AnswerPage } {
  const shown = (item: UiTreeItem): boolean => item.visible !== false;
  const lines = [
    ...difference.removed.filter(shown).map((item) => `- ${itemLine(item)}`),
    ...difference.added.filter(shown).map((item) => `+ ${itemLine(item)}`),
    ...difference.changed.flatMap(({ before, after }) => {
      if (shown(before) !== shown(after)) return [`${shown(after) ? "+" : "-"} ${itemLine(after)}`];
      const line = itemLine(after);
      return line === itemLine(before) ? [] : [`~ ${line}`];
    }),
    ...removed.map((line) => `- ${quoted(line, MAX_TEXT)}`),
    ...added.map((line) => `+ ${quoted(line, MAX_TEXT)}`),
    ...passing.map((line) => `± ${quoted(line, MAX_TEXT)} came and went`),
    ...looks.map((line) => `~ ${line}`),
  ];
  const nothing = isWhole
    ? "nothing changed"
    : "nothing changed on the screen; the rest of this large page was not compared in full";
  const start = options.cursor === undefined ? 0 : startOf(options.cursor, options);
  const maxTokens = options.maxTokens ?? DEFAULT_MAX_TOKENS;
  const taken: string[] = [];
  let tokens = 0;
  for (const line of lines.slice(start)) {
    const cost = estimateTokens(line) + 1;
    if (taken.length > 0 && tokens + cost > maxTokens) break;
    tokens += cost;
    taken.push(line);
  }
  const end = start + taken.length;
  const more = end < lines.length;
  const text = lines.length === 0 ? nothing : taken.join("\n");
  const nextCursor = `d${options.since}.${options.version}.${end}`;
  return {
    text,
    page: { tokens: estimateTokens(text), ...(more ? { nextCursor } : {}), total: lines.length },
  };
}

function startOf(cursor: string, { since, version }: { since: number; version: number }): number {
  const match = /^d(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(cursor);
  if (!match)
    throw new BridgeError("invalid_message", `"${cursor.slice(0, 40)}" is not a cursor of differences`, {
      field: "cursor",
    });
  if (Number(match[1]) !== since || Number(match[2]) !== version) {
    throw new BridgeError(
      "cursor_expired",
      "the page changed since this cursor was given; ask for the differences again",
    );
  }
  return Number(match[3]);
}
