import { closestAcross } from "../../view/elements/dom.js";
import type { Point } from "../../view/elements/visibility.js";
import { viewOf } from "./events.js";

type Caret = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";

/** Moves the caret of a text field or an editable element. False if there is no caret that a script may move. */
export function moveCaret(element: Element, key: Caret, extend: boolean): boolean {
  const field = element as HTMLInputElement;
  const isField = element.localName === "input" || element.localName === "textarea";
  if (isField && field.selectionStart === null) return false;
  if (!isField || key === "ArrowUp" || key === "ArrowDown") {
    if (element.localName === "input") return false;
    const backward = key === "ArrowLeft" || key === "ArrowUp" || key === "Home";
    const by = key.startsWith("Arrow")
      ? key === "ArrowUp" || key === "ArrowDown"
        ? "line"
        : "character"
      : "lineboundary";
    viewOf(element)
      .getSelection()
      ?.modify(extend ? "extend" : "move", backward ? "backward" : "forward", by);
    return true;
  }
  const start = field.selectionStart ?? 0;
  const end = field.selectionEnd ?? start;
  const backward = field.selectionDirection === "backward";
  const anchor = backward ? end : start;
  const focus = backward ? start : end;
  const to = destination(field.value, key, focus);
  if (extend)
    field.setSelectionRange(Math.min(anchor, to), Math.max(anchor, to), to < anchor ? "backward" : "forward");
  else if (start !== end && key === "ArrowLeft") field.setSelectionRange(start, start);
  else if (start !== end && key === "ArrowRight") field.setSelectionRange(end, end);
  else field.setSelectionRange(to, to);
  return true;
}

function destination(text: string, key: Caret, from: number): number {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, from - 1);
    case "ArrowRight":
      return Math.min(text.length, from + 1);
    case "Home":
      return text.lastIndexOf("\n", from - 1) + 1;
    default: {
      const end = text.indexOf("\n", from);
      return end < 0 ? text.length : end;
    }
  }
}

/** A press on one of these does not change what is selected. */
const PRESSED = "button,a[href],area[href],select";

/** What the first, second and third press of the mouse select: a place in the text, a word, a paragraph. */
export function selectAt(element: Element, { x, y }: Point, nth: number): void {
  if (closestAcross(element, PRESSED)) return;
  const view = viewOf(element);
  const selection = view.getSelection();
  const at = element.ownerDocument.caretPositionFromPoint?.(x, y);
  if (!selection || !at || view.getComputedStyle(element).userSelect === "none") return;
  const { offsetNode, offset } = at;
  if ("setSelectionRange" in offsetNode) {
    const field = offsetNode as HTMLInputElement;
    // Scripts cannot select in fields for numbers and addresses, nor in buttons.
    if (field.selectionStart === null) return;
    field.setSelectionRange(offset, offset);
  } else if (element.contains(offsetNode)) selection.collapse(offsetNode, offset);
  else return;
  if (nth < 2) return;
  const unit = nth > 2 ? "paragraphboundary" : "word";
  // A step to the right first: at the start of a word, the word before it is not meant.
  if (nth === 2) selection.modify("move", "forward", "character");
  selection.modify("move", "backward", unit);
  selection.modify("extend", "forward", unit);
}
