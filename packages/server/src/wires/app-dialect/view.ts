import { itemLine, renderChanges } from "@debug-bridge/driver";
import {
  type AnswerPage,
  BridgeError,
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  truncate,
  type UiTreeItem,
} from "@debug-bridge/protocol";
import { unsupported } from "./resolve.js";
import type { DialectTree } from "./tree.js";

/** What an agent must know to read the answer: this SDK lists elements, and no other text of the page. */
const HEAD = "Only elements that can be used are listed: debug-bridge-browser 0.2 does not report other text";
const NO_TEXT = { text: { added: [], removed: [], passing: [] }, looks: [] };

/** Answers `request_ui_tree` with text. */
export function observe(
  tree: DialectTree,
  { target, since, cursor, maxTokens = DEFAULT_MAX_TOKENS }: CommandOf<"request_ui_tree">,
  url: string,
): CommandOutcome {
  if (target) throw unsupported("showing a part of the page");
  const value = { version: tree.version, url };
  const difference = since === undefined ? undefined : tree.since(since);
  if (difference && since !== undefined) {
    const { text, page } = renderChanges(difference, NO_TEXT, true, {
      ...{ since, version: tree.version, maxTokens, cursor },
    });
    const result = page.total === 0 ? "no element changed; text is not compared" : text;
    return { result, page, value };
  }
  const lines = tree.items.filter(({ visible }) => visible !== false).map(itemLine);
  return { ...fitted(lines, maxTokens, cursor, HEAD), value };
}

/** Answers `find`. */
export function find(tree: DialectTree, command: CommandOf<"find">, url: string): CommandOutcome {
  const { target, source, cursor, maxTokens = DEFAULT_MAX_TOKENS } = command;
  if (target ?? source) throw unsupported("searching in a part of the page or by source");
  const found = tree.items.filter((item) => fits(item, command));
  const head = found.length === 0 ? "no element matches; text outside of elements is not searched" : "";
  const answer = fitted(found.map(itemLine), maxTokens, cursor, head);
  return { ...answer, value: { version: tree.version, url } };
}

function fits(item: UiTreeItem, { text, pattern, role, name, state }: CommandOf<"find">): boolean {
  const texts = [item.text, item.name, item.meta?.value].filter((each) => each !== undefined);
  const holds = (part: string, inside: readonly string[]): boolean =>
    inside.some((each) => each.toLowerCase().includes(part.toLowerCase()));
  return (
    (text === undefined || holds(text, texts)) &&
    // The schema refuses patterns whose time grows without a limit.
    (pattern === undefined || texts.some((each) => new RegExp(pattern, "i").test(each.slice(0, 300)))) &&
    (role === undefined || item.role === role || item.meta?.tagName === role) &&
    (name === undefined || holds(name, [item.name ?? item.text ?? ""])) &&
    (state === undefined ? item.visible !== false : isIn(state, item))
  );
}

function isIn(
  state: NonNullable<CommandOf<"find">["state"]>,
  { meta, disabled, visible }: UiTreeItem,
): boolean {
  switch (state) {
    case "checked":
      return meta?.checked === true;
    case "unchecked":
      return meta?.checked === false;
    case "disabled":
      return disabled === true;
    case "enabled":
      return disabled !== true;
    case "hidden":
      return visible === false;
    default:
      throw unsupported(`the state "${state}"`);
  }
}

/** As many lines as the budget holds, and where the rest begins. */
function fitted(
  lines: readonly string[],
  maxTokens: number,
  cursor: string | undefined,
  head: string,
): { result: string; page: AnswerPage } {
  const start = cursor === undefined ? 0 : startOf(cursor, lines.length);
  const shown = start === 0 && head !== "" ? [head] : [];
  let tokens = estimateTokens(shown.join("\n"));
  let end = start;
  for (; end < lines.length; end++) {
    const line = lines[end] as string;
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens && end > start) break;
    shown.push(line);
  }
  const result = shown.join("\n");
  const next = end < lines.length ? { nextCursor: `i${end}` } : {};
  return { result, page: { tokens: estimateTokens(result), ...next, total: lines.length } };
}

function startOf(cursor: string, total: number): number {
  const [, at] = /^i(\d{1,6})$/.exec(cursor) ?? [];
  if (at === undefined)
    throw new BridgeError("invalid_message", `"${truncate(cursor, 40)}" is not a cursor of this app`, {
      field: "cursor",
    });
  if (Number(at) >= total)
    throw new BridgeError(
      "cursor_expired",
      "the page has fewer elements now; observe again without a cursor",
    );
  return Number(at);
}
