import { BridgeError, type CommandOf, type CommandOutcome, MASK, truncate } from "@debug-bridge/protocol";
import type { PageInput } from "../input.js";
import { nextFrame } from "../receipt/idle.js";
import { deepActiveElement } from "../view/elements/dom.js";
import { editContextOf } from "../view/elements/edit-context.js";
import { innerTextOf } from "../view/text/reading/inner-text.js";
import type { PageView } from "../view/view.js";
import { makeActionable } from "./actionable.js";
import { asTaken, refuseMalformed, WHOLE } from "./field-formats.js";
import { fire } from "./input/events.js";
import { fireBeforeInput, setValue } from "./input/insert-text.js";
import { isEditable } from "./input/key-defaults.js";
import { parseChord } from "./input/keys.js";
import { pointAt } from "./pointing.js";
import { resolveTarget } from "./resolve.js";

/** Types as a person does, and reports the field's value after the app has handled it. */
export async function typeText(
  view: PageView,
  input: PageInput,
  command: CommandOf<"type">,
): Promise<(settled: boolean) => Promise<CommandOutcome>> {
  const pointed = command.target.point ? pointAt(view, command.target) : undefined;
  if (pointed) await input.click(pointed.element, pointed.point, { button: "left", count: 1, modifiers: [] });
  const focused = pointed && deepActiveElement(view.page);
  const field = fieldOf(
    pointed
      ? focused && isEditable(focused)
        ? focused
        : pointed.element
      : resolveTarget(view, command.target),
  );
  const { clear = false, submit = false } = command;
  const text = command.text.replace(/\r\n?/g, "\n");
  refuseUneditable(view, field);
  makeActionable(view, field);
  const before = readField(field);
  const whole = field.localName === "input" && WHOLE.test((field as HTMLInputElement).type);
  const wanted = clear || whole ? text : before + text;
  refuseMalformed(field, wanted);
  (field as HTMLElement).focus({ preventScroll: true });
  const secret = view.masker.isSecretField(field);
  if (secret) view.masker.remember(text);
  if (whole) {
    setValue(field as HTMLInputElement, text, text);
    fire(field, "change");
  } else {
    placeCaret(field, clear);
    if (clear && before !== "") await removeSelection(field);
    await input.typeText(field, text);
  }
  // Enter in a field of one line sends its form.
  const sent = submit || (field.localName === "input" && text.includes("\n"));
  if (submit) {
    // An app that renders once per frame must have seen the text before Enter may take it away.
    await nextFrame(view.page.hidden);
    await input.press(deepActiveElement(view.page) ?? field, parseChord("Enter"));
  }
  if (!submit && (field.localName !== "input" || !whole)) fireChange(field);
  return async (settled) => {
    // A page that has settled by its frames has drawn since.
    const byFrames = !command.settle || command.settle.quietMs === undefined;
    if (!settled || !byFrames) await nextFrame(view.page.hidden);
    const result = outcome(view, field, { before, wanted, secret, submitted: sent });
    return pointed
      ? { ...result, value: { ...(result.value as object | undefined), ...pointed.value } }
      : result;
  };
}

interface Typed {
  readonly before: string;
  readonly wanted: string;
  readonly secret: boolean;
  readonly submitted: boolean;
}

function outcome(
  view: PageView,
  field: Element,
  { before, wanted, secret, submitted }: Typed,
): CommandOutcome {
  // A form that was sent may well be emptied or gone: that is what sending is for.
  if (submitted) return { applied: true };
  const now = readField(field);
  const shown = secret ? (now === "" ? "" : MASK) : view.masker.text(truncate(now, 1_000));
  const taken = asTaken(field, wanted);
  const applied = now === wanted || now === taken || now !== before;
  const base = { applied, value: { value: shown } };
  if (now === taken && now !== wanted)
    return { ...base, message: `the field's own limits changed the text; it holds "${shown}"` };
  if (!applied) return { ...base, message: `the app restored the old value; the field contains "${shown}"` };
  if (same(now, wanted)) return base;
  return { ...base, message: `the app changed the text; the field holds "${shown}"` };
}

/** Editors add their own line break at the end. */
const same = (a: string, b: string): boolean => a.trim() === b.trim();

/** A label is replaced by its control. */
function fieldOf(element: Element): Element {
  return (element as HTMLLabelElement).control ?? element;
}

function refuseUneditable(view: PageView, field: Element): void {
  const { role, text } = view.itemOf(field);
  const who = `${role} "${text ?? ""}"`;
  const { readOnly, type } = field as HTMLInputElement;
  const refuse = (why: string): never => {
    throw new BridgeError("not_actionable", `cannot type into ${who}: ${why}. Nothing was done`);
  };
  if (field.matches(":disabled")) return;
  if (field.localName === "select") refuse("it is a list; use select");
  if (/^(?:checkbox|radio)$/.test(type) && field.localName === "input")
    refuse("it is not a text field; use click");
  if (field.localName === "input" && WHOLE.test(type)) return;
  if (!isEditable(field)) refuse("it does not accept text");
  if (readOnly) refuse("it is read-only");
}

/** What the field holds, as a person reads it. */
function readField(field: Element): string {
  const { localName } = field;
  if (localName === "input" || localName === "textarea" || localName === "select")
    return (field as HTMLInputElement).value;
  return innerTextOf(field).replace(/\n$/, "");
}

/** Text goes to the end, or in place of everything. */
export function placeCaret(field: Element, everything: boolean): void {
  const { localName, ownerDocument } = field;
  // Where its caret is, an editor that draws itself knows alone.
  if (editContextOf(field)) return;
  if (localName === "input" || localName === "textarea") {
    const input = field as HTMLInputElement;
    if (everything) {
      input.select();
      return;
    }
    try {
      input.setSelectionRange(input.value.length, input.value.length);
    } catch {
      // Number and e-mail fields have no caret that a script may move.
    }
    return;
  }
  const selection = ownerDocument.getSelection();
  if (!selection) return;
  selection.selectAllChildren(field);
  if (!everything) selection.collapseToEnd();
}

/** Empties the field before the text comes, so that an app that validates each key sees it empty. */
async function removeSelection(field: Element): Promise<void> {
  if (!fireBeforeInput(field, "deleteContentBackward", null)) return;
  field.ownerDocument.execCommand("delete");
  const isField = field.localName === "input" || field.localName === "textarea";
  if (isField && (field as HTMLInputElement).value !== "") setValue(field as HTMLInputElement, "");
  await null;
}

/** People leave a field before its change counts; agents rarely do, and apps that listen for `change` should get the event. */
function fireChange(field: Element): void {
  if (field.localName === "input" || field.localName === "textarea") fire(field, "change");
}
