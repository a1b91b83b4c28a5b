import { BridgeError, type CommandOutcome, type Target, type UiTreeItem } from "@debug-bridge/protocol";
import { match } from "ts-pattern";
import { type Pattern, parsePatterns } from "../targets/patterns.js";
import { choose, rank, type Scored, titleOf } from "../targets/score.js";
import type { ActionContext } from "./context.js";

/** How an instruction names its element. */
export interface Named {
  readonly targets?: string | undefined;
  readonly selector?: string | undefined;
  readonly ref?: string | undefined;
}

/** Which element was taken, and why. */
export interface Explained {
  readonly pattern: string;
  readonly why: string;
  readonly ref?: string;
  readonly element?: string;
  readonly score?: number;
  readonly others?: readonly string[];
}

/** An element that is not there, is there twice, or is no name at all: the next pattern may do better. */
const NEXT_PATTERN: ReadonlySet<string> = new Set([
  "target_not_found",
  "ambiguous_target",
  "stale_ref",
  "invalid_message",
]);

/** What is wrong with a text or an option is wrong whichever element it is for. */
export function isAboutTarget({ code, details }: BridgeError): boolean {
  const { field = "target" } = (details ?? {}) as { field?: unknown };
  return NEXT_PATTERN.has(code) && String(field).startsWith("target");
}

export const isNamed = ({ targets, selector, ref }: Named): boolean =>
  (targets ?? selector ?? ref) !== undefined;

/**
 * Does something with the element that an instruction names. Of several patterns the first that means one element is
 * taken; where none does, the error says what each of them found.
 */
export async function withTarget(
  context: ActionContext,
  named: Named,
  act: (target: Target) => Promise<CommandOutcome>,
): Promise<{ readonly outcome: CommandOutcome; readonly choice?: Explained }> {
  const { targets, selector, ref } = named;
  if (ref !== undefined) return { outcome: await act({ ref }) };
  if (selector !== undefined) return { outcome: await act({ selector }) };
  const found: string[] = [];
  let several: readonly Scored[] | undefined;
  let items: UiTreeItem[] | undefined;
  for (const pattern of parsePatterns(targets ?? "")) {
    const tried = await match<Pattern, Promise<{ target: Target; choice: Explained } | string>>(pattern)
      .with({ kind: "ref" }, async (one) => ({
        target: { ref: one.ref },
        choice: { pattern: one.source, why: "by its ref" },
      }))
      .with({ kind: "selector" }, async (one) => ({
        target: { selector: one.selector },
        choice: { pattern: one.source, why: "the first element that the selector finds" },
      }))
      .with({ kind: "text" }, { kind: "role" }, async (one) => {
        items ??= await context.live.driver.uiTree();
        const choice = choose(rank(one, items));
        if (choice.kind === "none") return "nothing fits";
        if (choice.kind === "several") {
          several ??= choice.others;
          return `fits ${choice.others.map(({ item }) => titleOf(item)).join(" and ")} alike`;
        }
        const { best, others } = choice;
        const explained = {
          pattern: one.source,
          why: best.why,
          element: titleOf(best.item),
          score: Math.round(best.score * 100) / 100,
          ...(best.item.ref ? { ref: best.item.ref } : {}),
          ...(others.length > 0
            ? { others: others.map(({ item, score }) => `${titleOf(item)}: ${score.toFixed(2)}`) }
            : {}),
        };
        return {
          target: best.item.ref ? { ref: best.item.ref } : { selector: best.item.selector },
          choice: explained,
        };
      })
      .exhaustive();
    if (typeof tried === "string") {
      found.push(`${pattern.source}: ${tried}`);
      continue;
    }
    context.over?.throwIfAborted();
    try {
      const outcome = await act(tried.target);
      context.logs.tool("debug", `took ${tried.choice.element ?? tried.choice.pattern}: ${tried.choice.why}`);
      return { outcome, choice: tried.choice };
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      if (!isAboutTarget(error)) throw error;
      found.push(`${pattern.source}: ${error.message}`);
    }
  }
  throw notFound(targets ?? "", found, several, items ?? (await context.live.driver.uiTree()));
}

function notFound(
  targets: string,
  found: readonly string[],
  several: readonly Scored[] | undefined,
  items: readonly UiTreeItem[],
): BridgeError {
  const tried = found.join("; ");
  if (several) {
    return new BridgeError(
      "ambiguous_target",
      `targets ${JSON.stringify(targets)} does not say which element: ${tried}. Name one by its ref, or say more`,
      { field: "targets", candidates: several.map(({ item }) => item) },
    );
  }
  const visible = items.filter((item) => item.visible !== false).slice(0, 5);
  const there =
    visible.length > 0
      ? ` On the page are ${visible.map(titleOf).join(", ")}`
      : " Nothing on the page can be acted upon";
  return new BridgeError(
    "target_not_found",
    `targets ${JSON.stringify(targets)} matches no visible element (${tried}).${there}`,
    {
      field: "targets",
      candidates: visible,
    },
  );
}
