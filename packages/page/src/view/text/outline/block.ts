import { squash } from "../../elements/dom.js";
import type { Entry } from "../../tree/ui-tree.js";
import { NAME_LENGTH, VALUE_LENGTH } from "./item-line.js";

/** A part of the page as text: its own line, if it has text, and what is inside it. */
export interface Block {
  /** Where its line starts. */
  readonly element: Node;
  readonly line: string | undefined;
  readonly children: Block[];
  /** Its line is nothing but a thing that is described. */
  readonly isThing?: boolean;
  /** Its line describes an element that can be used. */
  readonly isUsable?: boolean;
  /** Its line says how many others were left out. */
  readonly isCut?: boolean;
}

/** Whether a text is all in the name or value that a line shows. */
export function isShownIn({ name, text: own, meta }: Entry["item"], text: string): boolean {
  return (
    text === "" ||
    covers(name ?? own ?? "", text, NAME_LENGTH) ||
    covers(meta?.value ?? "", text, VALUE_LENGTH)
  );
}

/** Everything that was read, on one line. */
export function inOneLine(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ line, isThing, children }) => [line && (isThing ? `[${line}]` : line), inOneLine(children)])
    .filter(Boolean)
    .join(" ");
}

/** Whether a text is all in what is shown as the name or value. */
export function covers(shown: string, text: string, max: number): boolean {
  return shown.length <= max && squash(shown).includes(squash(text));
}

/** An item without the name and value that its content gives it. */
export function withoutContent({ item, name: ownName }: Entry, text: string): Entry["item"] {
  const start = squash(text).slice(0, 20);
  const isContent = (shown: string | undefined): boolean =>
    shown !== undefined && squash(shown).startsWith(start);
  const { name, text: own, meta, ...rest } = item;
  const label = name ?? own;
  return {
    ...rest,
    text: ownName === "" || isContent(label) ? "" : (label as string),
    meta: isContent(meta?.value) ? { ...meta, value: "" } : meta,
  };
}
