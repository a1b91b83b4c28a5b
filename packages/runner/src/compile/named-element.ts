import {
  BridgeError,
  type CommandOutcome,
  nearest,
  type Target,
  type UiTreeItem,
} from "@debug-bridge/protocol";
import { labelsOf, matchItems, type Precision, titleOf } from "../targets/match.js";
import { type Pattern, parsePatterns } from "../targets/patterns.js";
import type { ActionContext } from "./context.js";

/** The fields with which an instruction names its element. */
export interface Named {
  readonly targets?: string | undefined;
  readonly selector?: string | undefined;
  readonly ref?: string | undefined;
}

/** Which element a pattern led to, and why. */
export interface Choice {
  readonly pattern: string;
  readonly why: string;
  readonly ref?: string;
  readonly element?: string;
}

type Act = (target: Target) => Promise<CommandOutcome>;
type Acted = { readonly outcome: CommandOutcome; readonly choice?: Choice };

const MAX_CANDIDATES = 5;

/** The element does not exist, is not the only one, or the pattern is not valid: the next pattern may match. */
const TARGET_ERRORS: ReadonlySet<string> = new Set([
  "target_not_found",
  "ambiguous_target",
  "stale_ref",
  "invalid_message",
]);

/** Whether an error is about which element was named, and not about a text or an option for it. */
export function isAboutTarget({ code, details }: BridgeError): boolean {
  const { field = "target" } = (details ?? {}) as { field?: unknown };
  return TARGET_ERRORS.has(code) && String(field).startsWith("target");
}

export const isNamed = ({ targets, selector, ref }: Named): boolean =>
  (targets ?? selector ?? ref) !== undefined;

/**
 * Sends a command to the element that an instruction names. Of several patterns the first with one exact match is
 * used, then the first whose words are in the name of one element. If none matches, the error lists what each found.
 */
export async function withElement(context: ActionContext, named: Named, act: Act): Promise<Acted> {
  const { targets = "", selector, ref } = named;
  if (ref !== undefined) return { outcome: await act({ ref }) };
  if (selector !== undefined) return { outcome: await act({ selector }) };
  return new PatternSearch(context, targets, act).run();
}

/** Tries the patterns of one `targets` text. */
class PatternSearch {
  private readonly found = new Map<string, string>();
  private several: readonly UiTreeItem[] | undefined;
  private items: UiTreeItem[] | undefined;

  constructor(
    private readonly context: ActionContext,
    private readonly targets: string,
    private readonly act: Act,
  ) {}

  async run(): Promise<Acted> {
    const patterns = parsePatterns(this.targets);
    for (const precision of ["exact", "words"] as const) {
      for (const pattern of patterns) {
        const acted = await this.attempt(pattern, precision);
        if (acted) return acted;
      }
    }
    throw await this.notFound(patterns);
  }

  private async attempt(pattern: Pattern, precision: Precision): Promise<Acted | undefined> {
    const { source } = pattern;
    switch (pattern.kind) {
      case "ref":
      case "selector": {
        if (precision !== "exact") return undefined;
        const isRef = pattern.kind === "ref";
        const why = isRef ? "by its ref" : "the first element that the selector finds";
        const target = isRef ? { ref: pattern.ref } : { selector: pattern.selector };
        return this.send(target, { pattern: source, why });
      }
      case "text":
      case "role": {
        // Several exact matches are not narrowed down by a looser comparison.
        if (this.found.has(source) && precision === "words" && this.found.get(source) !== "no match")
          return undefined;
        this.items ??= await this.context.commands.items();
        const match = matchItems(pattern, this.items, precision);
        if (match.kind === "one") {
          const { ref, selector } = match.item;
          const choice = {
            pattern: source,
            why: match.why,
            element: titleOf(match.item),
            ...(ref ? { ref } : {}),
          };
          return this.send(ref ? { ref } : { selector }, choice);
        }
        if (match.kind === "several") this.several ??= match.items;
        this.found.set(
          source,
          match.kind === "none" ? "no match" : `matches ${match.items.map(titleOf).join(" and ")} equally`,
        );
        return undefined;
      }
    }
  }

  private async send(target: Target, choice: Choice): Promise<Acted | undefined> {
    try {
      const outcome = await this.act(target);
      this.context.logs.tool("debug", `chose ${choice.element ?? choice.pattern}: ${choice.why}`);
      return { outcome, choice };
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      if (!isAboutTarget(error)) throw error;
      this.found.set(choice.pattern, error.message);
      return undefined;
    }
  }

  private async notFound(patterns: readonly Pattern[]): Promise<BridgeError> {
    const tried = [...this.found].map(([source, what]) => `${source}: ${what}`).join("; ");
    const quoted = JSON.stringify(this.targets);
    if (this.several) {
      return new BridgeError(
        "ambiguous_target",
        `targets ${quoted} matches several elements (${tried}); name one by its ref, or add words`,
        { field: "targets", candidates: [...this.several] },
      );
    }
    const items = (this.items ?? (await this.context.commands.items())).filter(
      ({ visible }) => visible !== false,
    );
    const wanted = patterns.map((pattern) =>
      "text" in pattern ? pattern.text : "name" in pattern ? pattern.name : "",
    );
    const near = nearest(wanted.find((text) => text !== "") ?? this.targets, items, labelsOf, MAX_CANDIDATES);
    const [first] = near;
    const advice = first
      ? `did you mean ${titleOf(first)}?`
      : items.length > 0
        ? `the page shows ${items.slice(0, MAX_CANDIDATES).map(titleOf).join(", ")}`
        : "the page has no element that can be used";
    return new BridgeError(
      "target_not_found",
      `targets ${quoted} matches no visible element (${tried}); ${advice}`,
      {
        field: "targets",
        candidates: near,
      },
    );
  }
}
