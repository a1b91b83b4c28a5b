import { editContextOf, selectionIn } from "../../view/elements/edit-context.js";
import { viewOf } from "./events.js";

/** Inputs without a caret that a script may move: what is typed goes to the end. */
const APPENDED = /^(?:date|datetime-local|month|week|time|color|range|email)$/;

/**
 * Inserts text where the caret is. The browser's own editing command comes first: its events are real, it keeps
 * `maxlength` and the undo history, and rich editors understand it. When it is not available, the value is set with the
 * prototype's setter, which bypasses the one that React puts on the element. An app that prevents `beforeinput`, which
 * the editing command leaves out, keeps the text away.
 */
export function insertText(element: Element, text: string): void {
  const { localName } = element;
  const isField = localName === "input" || localName === "textarea";
  const paragraph = text === "\n" && !isField;
  const inputType = paragraph ? "insertParagraph" : text === "\n" ? "insertLineBreak" : "insertText";
  if (!fireBeforeInput(element, inputType, text === "\n" ? null : text)) return;
  if (editContextOf(element)) {
    // Such an editor breaks the line itself, at `beforeinput`.
    if (!paragraph) updateText(element, text);
    return;
  }
  if (
    isField &&
    (APPENDED.test((element as HTMLInputElement).type) || element.ownerDocument.activeElement === null)
  ) {
    appendValue(element as HTMLInputElement, text);
    return;
  }
  const before = isField ? (element as HTMLInputElement).value : undefined;
  const document = element.ownerDocument;
  const done = paragraph
    ? document.execCommand("insertParagraph")
    : document.execCommand("insertText", false, text);
  if (isField && !done && (element as HTMLInputElement).value === before)
    appendValue(element as HTMLInputElement, text);
}

/** Text for an editor that draws itself, with the event by which the browser hands it over. */
function updateText(element: Element, text: string): void {
  const model = editContextOf(element);
  const { TextUpdateEvent } = viewOf(element) as unknown as {
    TextUpdateEvent: new (type: string, init: object) => Event;
  };
  if (!model) return;
  const [start, end] = selectionIn(model);
  const at = start + text.length;
  model.updateText(start, end, text);
  model.updateSelection(at, at);
  const range = { updateRangeStart: start, updateRangeEnd: end, selectionStart: at, selectionEnd: at };
  model.dispatchEvent(new TextUpdateEvent("textupdate", { text, ...range }));
}

/** Deletes the selection, or what is beside the caret. */
export function deleteText(element: Element, command: "delete" | "forwardDelete"): boolean {
  const inputType = command === "delete" ? "deleteContentBackward" : "deleteContentForward";
  if (!fireBeforeInput(element, inputType, null)) return true;
  return element.ownerDocument.execCommand(command);
}

/** Fires `beforeinput`. False when the app prevents the input. */
export function fireBeforeInput(element: Element, inputType: string, data: string | null): boolean {
  const view = viewOf(element);
  const selection = (element as HTMLElement).isContentEditable ? view.document.getSelection() : null;
  const targetRanges: StaticRange[] = [];
  if (selection && selection.rangeCount > 0) {
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    targetRanges.push(new view.StaticRange({ startContainer, startOffset, endContainer, endOffset }));
  }
  return element.dispatchEvent(
    new view.InputEvent("beforeinput", {
      bubbles: true,
      cancelable: true,
      composed: true,
      inputType,
      data,
      targetRanges,
    }),
  );
}

function appendValue(field: HTMLInputElement, text: string): void {
  const room = field.maxLength >= 0 ? field.maxLength : Number.POSITIVE_INFINITY;
  setValue(field, (field.value + text).slice(0, room), text);
}

/**
 * Types into a number field. It has no caret, and its value is "" while there is only "-" or "1.", so each key goes
 * to a text of ours, and the field gets that text whenever it is a number.
 *
 * @returns adds one more character
 */
export function numberTyper(field: HTMLInputElement): (char: string) => void {
  let text = field.value;
  let shown = text;
  return (char) => {
    if (!fireBeforeInput(field, "insertText", char)) return;
    // The app may have changed the value since the last key.
    if (field.value !== shown) text = field.value;
    text += char;
    const kept = asKept(field, text);
    if (kept !== "") setValue(field, kept, char);
    shown = field.value;
  };
}

/** What the browser itself makes of a value in such a field, whatever the app does. */
export function asKept(field: HTMLInputElement, value: string): string {
  if (field.localName !== "input") return value;
  // The prototype of a document without scripts: neither the app's listeners nor React's setter are on a copy there.
  const copy = field.ownerDocument.implementation.createHTMLDocument("").createElement("input");
  for (const name of ["type", "min", "max", "step", "multiple"]) {
    const attribute = field.getAttribute(name);
    if (attribute !== null) copy.setAttribute(name, attribute);
  }
  copy.value = value;
  return copy.value;
}

/** Sets a field's value so that frameworks notice. */
export function setValue(
  field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  value: string,
  data?: string,
): void {
  const view = viewOf(field);
  const prototype =
    field.localName === "select"
      ? view.HTMLSelectElement.prototype
      : field.localName === "textarea"
        ? view.HTMLTextAreaElement.prototype
        : view.HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  const init = { bubbles: true, composed: true, inputType: "insertText", data: data ?? null };
  field.dispatchEvent(new view.InputEvent("input", init));
}
