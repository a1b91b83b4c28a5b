import { type CommandOf, type CommandOutcome, DEFAULT_MAX_TOKENS } from "@debug-bridge/protocol";
import { resolveTarget } from "../act/resolve.js";
import { renderParts } from "../view/find/render-parts.js";
import { search } from "../view/find/search.js";
import type { CommandContext } from "./run-command.js";

/** Answers `find`: every match with its ref and with where it is. */
export function find(command: CommandOf<"find">, { view }: CommandContext): CommandOutcome {
  const { target, maxTokens = DEFAULT_MAX_TOKENS, cursor } = command;
  const within = target ? resolveTarget(view, target) : (view.page.body ?? view.page.documentElement);
  const { version } = view.tree.refresh();
  const anchors = { anchorOf: (element: object) => view.refs.anchorOf(element as Element) };
  const { text, page, shown } = renderParts(search(view, within, command), anchors, { maxTokens, cursor });
  const matches = shown.flatMap((part) =>
    part.matches.map(({ ref, role, name, text: own }) => ({ ref, role, name: name ?? own })),
  );
  return {
    result: text,
    page,
    value: { version, url: view.masker.url(view.page.location.href), matches },
  };
}
