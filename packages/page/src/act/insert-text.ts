import { viewOf } from "./events.js";

/** Inputs whose text has no caret: their value is set as a whole. */
const WHOLE = /^(?:number|date|datetime-local|month|week|time|color|range|email)$/;

/**
 * Inserts text where the caret is. The browser's own editing command comes first: its events are real, it keeps
 * `maxlength` and the undo history, and rich editors understand it. Where it is not at hand, the value is set with the
 * prototype's setter, which is the way past the one that React puts on the element.
 */
export function insertText(element: Element, text: string): void {
  const { localName } = element;
  const isField = localName === "input" || localName === "textarea";
  if (
    isField &&
    (WHOLE.test((element as HTMLInputElement).type) || element.ownerDocument.activeElement === null)
  ) {
    appendValue(element as HTMLInputElement, text);
    return;
  }
  const before = isField ? (element as HTMLInputElement).value : undefined;
  const document = element.ownerDocument;
  const done =
    text === "\n" && !isField
      ? document.execCommand("insertParagraph")
      : document.execCommand("insertText", false, text);
  if (isField && !done && (element as HTMLInputElement).value === before)
    appendValue(element as HTMLInputElement, text);
}

function appendValue(field: HTMLInputElement, text: string): void {
  const room = field.maxLength >= 0 ? field.maxLength : Number.POSITIVE_INFINITY;
  setValue(field, (field.value + text).slice(0, room), text);
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
