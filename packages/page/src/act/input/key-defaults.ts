import { editContextOf } from "../../view/elements/edit-context.js";
import { topModal } from "../../view/elements/visibility.js";
import { moveCaret } from "./caret.js";
import { fire, viewOf } from "./events.js";
import { deleteText, insertText } from "./insert-text.js";
import type { Chord } from "./keys.js";
import { moveTab } from "./tab-order.js";

const CLIPBOARD: Record<string, string> = { c: "copy", x: "cut", v: "paste" };

/** What was copied last. A page may read the system's clipboard only when a person allows it. */
let clipboard = "";

/** Copies, cuts or pastes, with the event that lets an app do it in its own way. */
function useClipboard(element: Element, type: string): boolean {
  const view = viewOf(element);
  const clipboardData = new view.DataTransfer();
  const pastes = type === "paste";
  if (pastes) clipboardData.setData("text/plain", clipboard);
  const proceed = element.dispatchEvent(
    new view.ClipboardEvent(type, { bubbles: true, cancelable: true, composed: true, clipboardData }),
  );
  const text = pastes
    ? clipboard
    : proceed
      ? String(view.getSelection())
      : clipboardData.getData("text/plain");
  if (text === "") return false;
  clipboard = text;
  if (proceed && isWritable(element)) {
    if (pastes) insertText(element, text);
    else if (type === "cut") deleteText(element, "delete");
  }
  return true;
}

/**
 * What a browser does with a key whose default the app did not prevent. Dispatched events trigger none of it.
 *
 * @returns false if a page cannot trigger it, or there is nothing to do
 */
export function defaultKeyAction(element: Element, chord: Chord): boolean {
  const { key, modifiers } = chord;
  if (modifiers.includes("Control") || modifiers.includes("Meta")) {
    const letter = key.toLowerCase();
    const use = CLIPBOARD[letter];
    if (letter === "a") selectAll(element);
    return use ? useClipboard(element, use) : letter === "a";
  }
  switch (key) {
    case "Enter":
      return enter(element);
    case "Tab":
      return moveTab(element, modifiers.includes("Shift") ? -1 : 1);
    case "Escape":
      return closePopover(element) || closeDialog(element);
    case "Backspace":
    case "Delete":
      return isWritable(element) && deleteText(element, key === "Delete" ? "forwardDelete" : "delete");
    case "ArrowUp":
    case "ArrowDown":
    case "ArrowLeft":
    case "ArrowRight":
    case "Home":
    case "End":
      return (
        step(element, key) || (isEditable(element) && moveCaret(element, key, modifiers.includes("Shift")))
      );
    default:
      if (key.length !== 1 || !isWritable(element)) return key === " " && isPressable(element);
      insertText(element, key);
      return true;
  }
}

export function isEditable(element: Element): boolean {
  const { localName } = element;
  if (localName === "textarea" || (element as HTMLElement).isContentEditable) return true;
  if (editContextOf(element)) return true;
  return (
    localName === "input" &&
    !/^(?:checkbox|radio|button|submit|reset|file|image|range|color|hidden)$/.test(
      (element as HTMLInputElement).type,
    )
  );
}

/** Editable, and not read-only. */
function isWritable(element: Element): boolean {
  return isEditable(element) && (element as HTMLInputElement).readOnly !== true;
}

/** What the space bar clicks, once it is released. */
export function isPressable(element: Element): boolean {
  return element.matches(
    "button,summary,input[type=checkbox],input[type=radio],input[type=submit],input[type=button],input[type=reset]",
  );
}

function enter(element: Element): boolean {
  const html = element as HTMLElement;
  if (element.localName === "textarea" || html.isContentEditable || editContextOf(element)) {
    if (!isWritable(element)) return false;
    insertText(element, "\n");
    return true;
  }
  const isButton = element.matches(
    "button,a[href],summary,input:is([type=submit],[type=button],[type=reset],[type=image])",
  );
  if (element.localName === "input" && !isButton) return submitImplicitly(element as HTMLInputElement);
  if (!isButton) return false;
  html.click();
  return true;
}

/** Enter in a field: the form's default button is clicked; without one, a form with one field is submitted. */
function submitImplicitly(input: HTMLInputElement): boolean {
  if (isEditable(input)) fire(input, "change");
  const { form } = input;
  if (!form) return false;
  const button = [...form.elements].find((control) =>
    control.matches("button:not([type]),button[type=submit],input[type=submit],input[type=image]"),
  );
  if (button) {
    if (!button.matches(":disabled")) (button as HTMLElement).click();
    return true;
  }
  const fields = [...form.elements].filter((control) => control.localName === "input" && isEditable(control));
  if (fields.length === 1) form.requestSubmit();
  return fields.length === 1;
}

function closePopover(element: Element): boolean {
  const open = [...element.ownerDocument.querySelectorAll<HTMLElement>(":popover-open")];
  const popover = open.filter((each) => each.popover === "auto" || each.popover === "hint").at(-1);
  popover?.hidePopover();
  return popover !== undefined;
}

function closeDialog(element: Element): boolean {
  const dialog = topModal(element.ownerDocument) as HTMLDialogElement | undefined;
  if (!dialog || dialog.getAttribute("closedby") === "none") return false;
  const view = viewOf(dialog);
  if (dialog.dispatchEvent(new view.Event("cancel", { cancelable: true }))) dialog.close();
  return true;
}

/** Keys that choose: in a drop-down list, a slider, a number field and a group of radio buttons. */
function step(element: Element, key: string): boolean {
  if (element.localName === "select") return stepList(element as HTMLSelectElement, key);
  if (element.localName !== "input") return false;
  const input = element as HTMLInputElement;
  const { type } = input;
  const vertical = key === "ArrowUp" || key === "ArrowDown";
  if (type === "range" || (type === "number" && vertical)) {
    if (type === "number" && input.readOnly) return false;
    const before = input.value;
    if (key === "Home") input.value = input.min || "0";
    else if (key === "End") input.value = input.max || "100";
    else if (key === "ArrowUp" || key === "ArrowRight") input.stepUp();
    else input.stepDown();
    if (input.value !== before) {
      fire(input, "input");
      fire(input, "change");
    }
    return true;
  }
  if (type !== "radio" || !key.startsWith("Arrow")) return false;
  const scope = input.form ?? (input.getRootNode() as Document);
  const group = [...scope.querySelectorAll<HTMLInputElement>("input[type=radio]:enabled")].filter(
    (each) => each.name === input.name && each.form === input.form,
  );
  const by = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
  const next = group.at((group.indexOf(input) + by) % group.length);
  next?.focus();
  next?.click();
  return true;
}

function stepList(select: HTMLSelectElement, key: string): boolean {
  const usable = [...select.options].filter(
    (option) => !option.disabled && !option.closest("optgroup:disabled"),
  );
  const at = usable.findIndex((option) => option.index === select.selectedIndex);
  const last = usable.length - 1;
  const by = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
  const to = key === "Home" ? 0 : key === "End" ? last : Math.min(Math.max(at + by, 0), last);
  const next = usable[to];
  if (next && next.index !== select.selectedIndex) {
    select.selectedIndex = next.index;
    fire(select, "input");
    fire(select, "change");
  }
  return true;
}

function selectAll(element: Element): void {
  const field = element as HTMLInputElement;
  if (typeof field.select === "function" && isEditable(element)) field.select();
  else element.ownerDocument.execCommand("selectAll");
}
