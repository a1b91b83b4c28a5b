import { type CommandOf, type CommandOutcome, DEFAULT_MAX_TOKENS } from "@debug-bridge/protocol";
import { resolveTarget } from "../act/resolve.js";
import { renderParts } from "../view/find/render-parts.js";
import { search } from "../view/find/search.js";
import { partFor } from "./part-for.js";
import type { CommandContext } from "./run-command.js";

/** Answers `find`: every match with its ref and with where it is. */
export async function find(command: CommandOf<"find">, context: CommandContext): Promise<CommandOutcome> {
  const { target, maxTokens = DEFAULT_MAX_TOKENS, cursor, source } = command;
  const { view } = context;
  const part = source === undefined ? undefined : await partFor("source", command, context);
  const sources = await part?.sourcesIn(view);
  const sourceOf = (element: Element): string => {
    const found = sources?.(element);
    return found && part ? part.sourceLine(found) : "";
  };
  const within = target ? resolveTarget(view, target) : (view.page.body ?? view.page.documentElement);
  const { version } = view.tree.refresh();
  const anchors = { anchorOf: (element: object) => view.refs.anchorOf(element as Element) };
  const { text, page, shown } = renderParts(search(view, within, command, sourceOf), anchors, {
    maxTokens,
    cursor,
  });
  const matches = shown.flatMap((part) =>
    part.matches.map(({ ref, role, name, text: own }) => ({ ref, role, name: name ?? own })),
  );
  const outcome: CommandOutcome = {
    result: text,
    page,
    value: { version, url: view.masker.url(view.page.location.href), matches },
  };
  return part ? part.showSources(outcome, view) : outcome;
}
