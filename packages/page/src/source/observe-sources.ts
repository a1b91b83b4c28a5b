import {
  BridgeError,
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
} from "@debug-bridge/protocol";
import { resolveTarget } from "../act/resolve.js";
import { partFor } from "../commands/part-for.js";
import type { CommandContext } from "../commands/run-command.js";
import { itemLine } from "../view/text/outline/item-line.js";
import { showSources } from "./show-sources.js";

type Observe = CommandOf<"request_ui_tree">;

/** For the line that says what is left out. */
const REST_TOKENS = 20;

/** Answers `request_ui_tree` with `source`: the view with places, or the components of one element. */
export async function observeSources(
  command: Observe,
  context: CommandContext,
  observe: () => CommandOutcome,
): Promise<CommandOutcome> {
  const outcome = command.source === "component" ? await components(command, context) : observe();
  return showSources(outcome, context.view);
}

async function components(command: Observe, context: CommandContext): Promise<CommandOutcome> {
  const { target, maxTokens = DEFAULT_MAX_TOKENS } = command;
  const { view } = context;
  if (!target)
    throw new BridgeError("invalid_message", "source component is about one element: give its target", {
      field: "target",
    });
  const { componentLines } = await partFor("component", command, context);
  const element = resolveTarget(view, target);
  const lines = [itemLine(view.itemOf(element)), ...componentLines(element, view)];
  const shown: string[] = [];
  let left = maxTokens - REST_TOKENS;
  for (const line of lines) {
    left -= estimateTokens(line) + 1;
    if (left < 0 && shown.length > 0) break;
    shown.push(line);
  }
  const omitted = lines.length - shown.length;
  if (omitted > 0) shown.push(`(${omitted} more lines: ask with a larger maxTokens)`);
  const result = shown.join("\n");
  const value = { url: view.masker.url(view.page.location.href) };
  return { result, page: { tokens: estimateTokens(result) }, value };
}
