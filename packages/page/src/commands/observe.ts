import {
  BridgeError,
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
} from "@debug-bridge/protocol";
import { resolveTarget } from "../act/resolve.js";
import { platform } from "../inert/platform.js";
import { containsAcross } from "../view/elements/dom.js";
import { fieldText } from "../view/text/outline/field-text.js";
import { type Outline, type OutlineOptions, outline } from "../view/text/outline/outline.js";
import { confirmed, isComplete, readingChanges } from "../view/text/reading/reading.js";
import { withSelection } from "../view/text/reading/selection.js";
import { renderChanges } from "../view/text/render-changes.js";
import { parseCursor, renderText } from "../view/text/render-text.js";
import { isEmpty } from "../view/tree/ui-tree-history.js";
import type { PageView } from "../view/view.js";
import { pollState } from "./app-state.js";
import type { CommandContext } from "./run-command.js";

/** Tokens beyond the budget that are read, so that the line that does not fit is whole. */
const LONGEST_LINE = 100;
/** Rows that are like others may be shorter than those that were read. */
const MUCH_LONGER = 1.3;

/** Answers `request_ui_tree`, and says what is wrong with the items that the app names itself. */
export function observe(command: CommandOf<"request_ui_tree">, context: CommandContext): CommandOutcome {
  const outcome = look(command, context);
  const message = [...context.view.tree.problems].join("; ");
  return message ? { ...outcome, message } : outcome;
}

/** Answers with a separate message, or with text within a budget. */
function look(command: CommandOf<"request_ui_tree">, context: CommandContext): CommandOutcome {
  const { view, emit } = context;
  const { format, target, since, maxTokens, cursor } = command;
  const within = target ? resolveTarget(view, target) : undefined;
  const reading = format === "text" ? view.readings.read(view, since !== undefined) : undefined;
  const tree = reading ? view.tree : view.tree.refreshAll();
  const { version } = tree;
  const value = { version, url: view.masker.url(view.page.location.href) };
  const difference = since === undefined ? undefined : tree.since(since);
  if (reading) {
    const before = since === undefined ? undefined : view.readings.at(since);
    if (difference && since !== undefined && before) {
      const changes = readingChanges(view, before, reading, !isEmpty(difference));
      const isWhole = isComplete(reading) && isComplete(before);
      const { text, page } = renderChanges(difference, changes, isWhole, {
        since,
        version,
        maxTokens,
        cursor,
      });
      return { result: text, page, value };
    }
    const whole = within ? undefined : reading.whole;
    const from = within ?? view.page.body ?? view.page.documentElement;
    const selected = within || cursor !== undefined ? "" : reading.selected;
    const answer = withSelection(selected, maxTokens ?? DEFAULT_MAX_TOKENS, (left) =>
      pageText(view, from, { ...command, maxTokens: left }, whole),
    );
    return { ...answer, value };
  }
  if (difference && since !== undefined) {
    emit({
      type: "ui_tree_delta",
      since,
      version,
      added: difference.added,
      changed: difference.changed.map(({ after }) => after),
      removed: difference.removed.map(({ id }) => id),
    });
  } else if (within) {
    const inside = tree.entries
      .filter(({ element }) => containsAcross(within, element))
      .map(({ item }) => item);
    emit({ type: "ui_tree", items: inside.slice(0, 5_000), version, truncated: inside.length > 5_000 });
  } else context.sendTree();
  return { value };
}

/** The page, or a part of it, as far as the budget goes. What is not shown is not read either. */
function pageText(
  view: PageView,
  from: Element,
  { maxTokens = DEFAULT_MAX_TOKENS, cursor }: CommandOf<"request_ui_tree">,
  whole: Outline | undefined,
): CommandOutcome {
  const read = (options: OutlineOptions): Outline =>
    confirmed(view, (seen) => outline(view, from, { ...options, seen }));
  const start = cursor === undefined ? undefined : view.places.find(parseCursor(cursor).at);
  const isKnown = cursor === undefined || start !== undefined;
  const field = fieldText(view, from);
  const known: Outline | undefined =
    field === undefined
      ? whole
      : { block: { element: from, line: field, children: [] }, total: 1, isCut: false, tokens: 0 };
  const overview = (): Outline => read({ maxTokens, folds: true });
  // The rows of a large page are counted first: when there are too many, they need not be read.
  const counted = known || cursor !== undefined ? undefined : overview();
  const isTooLong = counted && counted.tokens > MUCH_LONGER * maxTokens;
  const { block, total, isCut } =
    known ??
    (isTooLong
      ? { ...counted, isCut: true }
      : read(isKnown ? { maxTokens: maxTokens + LONGEST_LINE, start } : {}));
  const { text, page } = renderText(block, view.places, {
    maxTokens,
    cursor,
    total: isCut || start ? view.tree.visibleCount : total,
    isCut,
    overview: isCut ? () => (counted ?? overview()).block : undefined,
  });
  return { result: text, page };
}

/** Answers `get_state`, as data and as text within a budget. */
export function readState(command: CommandOf<"get_state">, { state }: CommandContext): CommandOutcome {
  pollState(state);
  const all = state.all();
  const { scope, maxTokens = DEFAULT_MAX_TOKENS, cursor } = command;
  if (scope !== undefined && !Object.hasOwn(all, scope)) {
    const known = Object.keys(all)
      .map((each) => `"${each}"`)
      .join(", ");
    throw new BridgeError("target_not_found", `the app has no state "${scope}"; it has ${known || "none"}`, {
      field: "scope",
    });
  }
  const value = scope === undefined ? all : all[scope];
  const text = platform.stringify(value);
  const start = cursor === undefined ? 0 : startOf(cursor);
  let end = text.length;
  while (estimateTokens(text.slice(start, end)) > maxTokens)
    end = start + Math.max(1, Math.floor((end - start) * 0.8));
  const part = text.slice(start, end);
  const page = { tokens: estimateTokens(part), ...(end < text.length ? { nextCursor: `s${end}` } : {}) };
  const whole = start === 0 && end === text.length;
  return { result: part, page, ...(whole ? { value } : {}) };
}

function startOf(cursor: string): number {
  const match = /^s(\d{1,9})$/.exec(cursor);
  if (!match)
    throw new BridgeError("invalid_message", `"${cursor.slice(0, 40)}" is not a cursor of a state`, {
      field: "cursor",
    });
  return Number(match[1]);
}
