import { fire, viewOf } from "./events.js";
import { insertText } from "./insert-text.js";
import type { Chord } from "./keys.js";

const TABBABLE =
  "a[href],button:enabled,input:enabled:not([type=hidden]),select:enabled,textarea:enabled,summary,[tabindex],[contenteditable]:not([contenteditable='false'])";

/** What a browser does with a key that the app let pass. Dispatched events do none of it by themselves. */
export function defaultKeyAction(element: Element, chord: Chord): void {
  const { key, modifiers } = chord;
  const shortcut = modifiers.includes("Control") || modifiers.includes("Meta");
  if (shortcut) {
    if (key.toLowerCase() === "a") selectAll(element);
    return;
  }
  switch (key) {
    case "Enter": {
      enter(element);
      return;
    }
    case "Tab": {
      moveTab(element, modifiers.includes("Shift") ? -1 : 1);
      return;
    }
    case "Escape": {
      closeDialog(element);
      return;
    }
    case "Backspace":
    case "Delete":
      if (isEditable(element))
        element.ownerDocument.execCommand(key === "Delete" ? "forwardDelete" : "delete");
      return;
    case "ArrowUp":
    case "ArrowDown": {
      step(element, key === "ArrowUp" ? -1 : 1);
      return;
    }
    default:
      if (key.length === 1 && isEditable(element)) insertText(element, key);
  }
}

export function isEditable(element: Element): boolean {
  const { localName } = element;
  if (localName === "textarea" || (element as HTMLElement).isContentEditable) return true;
  return (
    localName === "input" &&
    !/^(?:checkbox|radio|button|submit|reset|file|image|range|color|hidden)$/.test(
      (element as HTMLInputElement).type,
    )
  );
}

function enter(element: Element): void {
  const html = element as HTMLElement;
  if (element.localName === "textarea" || html.isContentEditable) {
    insertText(element, "\n");
    return;
  }
  if (element.localName === "input") {
    submitImplicitly(element as HTMLInputElement);
    return;
  }
  if (element.matches("button,a[href],summary")) html.click();
}

/** Enter in a field: the form's default button is clicked; without one, a form with one field is submitted. */
function submitImplicitly(input: HTMLInputElement): void {
  fire(input, "change");
  const { form } = input;
  if (!form) return;
  const button = [...form.elements].find((control) =>
    control.matches("button:not([type]),button[type=submit],input[type=submit],input[type=image]"),
  );
  if (button) {
    if (!button.matches(":disabled")) (button as HTMLElement).click();
    return;
  }
  const fields = [...form.elements].filter((control) => control.localName === "input" && isEditable(control));
  if (fields.length === 1) form.requestSubmit();
}

function moveTab(element: Element, step: 1 | -1): void {
  const root = element.ownerDocument;
  const all = [...root.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (each) => each.tabIndex >= 0 && each.checkVisibility(),
  );
  const first = all.filter((each) => each.tabIndex > 0).sort((a, b) => a.tabIndex - b.tabIndex);
  const order = [...first, ...all.filter((each) => each.tabIndex === 0)];
  const at = order.indexOf(element as HTMLElement);
  order.at((at + step) % Math.max(order.length, 1))?.focus();
}

function closeDialog(element: Element): void {
  const modals = element.ownerDocument.querySelectorAll<HTMLDialogElement>("dialog:modal");
  const dialog = modals[modals.length - 1];
  if (!dialog) return;
  const view = viewOf(dialog);
  if (dialog.dispatchEvent(new view.Event("cancel", { cancelable: true }))) dialog.close();
}

/** Arrow keys in a drop-down list, a number field and a group of radio buttons. */
function step(element: Element, by: 1 | -1): void {
  if (element.localName === "select") {
    const select = element as HTMLSelectElement;
    const next = Math.min(Math.max(select.selectedIndex + by, 0), select.options.length - 1);
    if (next === select.selectedIndex) return;
    select.selectedIndex = next;
    fire(select, "input");
    fire(select, "change");
    return;
  }
  if (element.localName !== "input") return;
  const input = element as HTMLInputElement;
  if (input.type === "number" || input.type === "range") {
    if (input.type === "number" ? by < 0 : by > 0) input.stepDown();
    else input.stepUp();
    fire(input, "input");
    fire(input, "change");
  } else if (input.type === "radio") {
    const scope = input.form ?? input.ownerDocument;
    const group = [...scope.querySelectorAll<HTMLInputElement>("input[type=radio]:enabled")].filter(
      (each) => each.name === input.name,
    );
    const next = group.at((group.indexOf(input) + by) % group.length);
    next?.focus();
    next?.click();
  }
}

function selectAll(element: Element): void {
  const field = element as HTMLInputElement;
  if (typeof field.select === "function" && isEditable(element)) field.select();
  else element.ownerDocument.execCommand("selectAll");
}
