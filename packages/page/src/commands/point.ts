import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";
import { resolveTarget } from "../act/resolve.js";
import { platform } from "../inert/platform.js";
import { Mark } from "../point/mark.js";
import { pick } from "../point/pick.js";
import type { PageView } from "../view/view.js";
import type { CommandContext } from "./run-command.js";

/** A mark is gone after this time, even if nobody asked to remove it. */
const SHOWN_MS = 10_000;

interface Shown {
  readonly mark: Mark;
  timer?: number | undefined;
}

const marks = new WeakMap<PageView, Shown>();

/** Marks an element in the page for the person there, or lets the person choose one. */
export async function point(
  command: CommandOf<"highlight" | "pick">,
  context: CommandContext,
): Promise<CommandOutcome> {
  const { view, capture } = context;
  const shown: Shown = marks.get(view) ?? { mark: new Mark(view, (node) => capture.ours.add(node)) };
  marks.set(view, shown);
  const { mark } = shown;
  platform.clearTimeout(shown.timer);
  if (command.type === "pick") return pick(context, mark, command.timeoutMs);
  mark.hide();
  if (!command.target) return {};
  mark.show(resolveTarget(view, command.target));
  shown.timer = platform.setTimeout(() => mark.hide(), SHOWN_MS);
  return {};
}
