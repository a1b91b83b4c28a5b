import type { CommandOutcome } from "@debug-bridge/protocol";
import type { PageView } from "../view/view.js";
import { sourceLine, sourcesIn } from "./places.js";

/** An element in a line: at its start, or in brackets inside a text. */
const AT_START = /^(\s*)((?:f\d+)?e\d+)( .*)$/;
const INSIDE = /\[((?:f\d+)?e\d+)( [^[\]]*)\]/g;

/** Adds to the text of an answer where its elements were written: `e4 button "Pay" (src/app.tsx:12 App)`. */
export async function showSources(outcome: CommandOutcome, view: PageView): Promise<CommandOutcome> {
  const { result } = outcome;
  if (result === undefined) return outcome;
  const sourceOf = await sourcesIn(view);
  const placeOf = (ref: string): string => {
    const element = view.refs.find(ref)?.element.deref();
    const source = element && sourceOf(element);
    const line = source ? sourceLine(source) : "";
    return line && ` (${line})`;
  };
  const lines = result.split("\n").map((line) => {
    const [, indent = "", ref, rest = ""] = AT_START.exec(line) ?? [];
    if (ref !== undefined) return `${indent}${ref}${rest}${placeOf(ref)}`;
    return line.replace(INSIDE, (_all, inner: string, more: string) => `[${inner}${more}${placeOf(inner)}]`);
  });
  return { ...outcome, result: lines.join("\n") };
}
