import type { ClickOptions, PageInput } from "../../input.js";
import { sleep } from "../../receipt/idle.js";
import { closestAcross, containsAcross, deepActiveElement, parentAcross } from "../../view/elements/dom.js";
import type { Point } from "../../view/elements/visibility.js";
import { selectAt } from "./caret.js";
import { syntheticDrag, within } from "./drag.js";
import { fireKey, firePointer, type PointerDetails } from "./events.js";
import { insertText, numberTyper } from "./insert-text.js";
import { defaultKeyAction, isEditable, isPressable } from "./key-defaults.js";
import { type Chord, charKey } from "./keys.js";

const FOCUSABLE =
  "a[href],area[href],button:enabled,input:enabled,select:enabled,textarea:enabled,summary,iframe,[tabindex],[contenteditable]:not([contenteditable='false'])";

/** Input by dispatched events: what a page can do to itself, in the order in which a browser would do it. */
export function syntheticInput(): PageInput {
  let over: Element | undefined;

  const moveTo = (element: Element, point: Point): void => {
    const at = within(element, point);
    const details: PointerDetails = { point, related: over ?? null };
    if (over?.isConnected && over !== at) {
      const away = { point, related: at };
      for (const type of ["pointerout", "mouseout"]) firePointer(over, type, away);
      for (const left of pathOf(over)) {
        if (containsAcross(left, at)) break;
        for (const type of ["pointerleave", "mouseleave"]) firePointer(left, type, away);
      }
    }
    if (over !== at) {
      firePointer(at, "pointerover", details);
      firePointer(at, "mouseover", details);
      const entered = pathOf(at).filter((element) => !over || !containsAcross(element, over));
      for (const element of entered.reverse()) {
        for (const type of ["pointerenter", "mouseenter"]) firePointer(element, type, details);
      }
    }
    over = at;
    firePointer(at, "pointermove", { point });
    firePointer(at, "mousemove", { point });
  };

  return {
    hover(element, point) {
      moveTo(element, point);
      return false;
    },
    async click(element, point, options) {
      let isBlocked = false;
      moveTo(element, point);
      for (let nth = 1; nth <= options.count; nth++) {
        if (nth > 1) await sleep(BETWEEN_CLICKS_MS);
        isBlocked = clickOnce(element, point, options, nth);
      }
      if (options.count === 2 && options.button === "left") {
        firePointer(within(element, point), "dblclick", {
          point,
          button: "left",
          detail: 2,
          modifiers: options.modifiers,
        });
      }
      return !isBlocked;
    },
    typeText,
    press: pressKey,
    drag: (source, from, target, reach) => syntheticDrag(source, from, target, reach, moveTo),
  };
}

const BETWEEN_CLICKS_MS = 40;
const DISABLED = "button:disabled,input:disabled,select:disabled,textarea:disabled";

/** Longer texts are inserted in one piece, as pasting does. */
const KEY_BY_KEY = 200;

async function typeText(field: Element, text: string): Promise<void> {
  const oneLine = field.localName === "input";
  if (text.length > KEY_BY_KEY && !(oneLine && text.includes("\n"))) {
    insertText(field, text);
    return;
  }
  const isNumber = oneLine && (field as HTMLInputElement).type === "number";
  const intoNumber = isNumber ? numberTyper(field as HTMLInputElement) : undefined;
  for (const char of text) {
    const at = field.isConnected ? field : (deepActiveElement(field.ownerDocument) ?? field);
    const shift = /[A-Z]/.test(char);
    const chord: Chord = { ...charKey(char, shift), modifiers: shift ? ["Shift"] : [] };
    if (char === "\n" && oneLine) pressKey(at, chord);
    else {
      if (fireKey(at, "keydown", chord) && fireKey(at, "keypress", chord)) {
        if (intoNumber) intoNumber(char);
        else insertText(at, char);
      }
      fireKey(at, "keyup", chord);
    }
    // Lets the framework render between keys, as it does for a person.
    await null;
  }
}

/** Returns whether the browser does not do what follows, because no person clicked: open a tab. */
function clickOnce(
  element: Element,
  point: Point,
  { button, modifiers }: ClickOptions,
  nth: number,
): boolean {
  const at = within(element, point);
  const down: PointerDetails = { point, button, held: true, detail: nth, modifiers };
  const up: PointerDetails = { point, button, detail: nth, modifiers };
  // A pointerdown that is prevented takes the mouse events with it, but not the click.
  const pressed = firePointer(at, "pointerdown", down);
  const wanted = pressed && firePointer(at, "mousedown", down);
  if (wanted) {
    moveFocus(at);
    if (button === "left") selectAt(at, point, nth);
  }
  firePointer(at, "pointerup", up);
  if (pressed) firePointer(at, "mouseup", up);
  // Its own handlers may have removed it, put something else in its place, or disabled it.
  const clicked = at.isConnected ? at : within(element, point);
  if (!clicked.isConnected || closestAcross(clicked, DISABLED)) return false;
  if (button === "left")
    return (
      firePointer(clicked, "click", up) &&
      closestAcross(clicked, "a[target=_blank]") !== null &&
      !navigator.userActivation?.isActive
    );
  firePointer(clicked, "auxclick", up);
  if (button === "right") firePointer(clicked, "contextmenu", up);
  return false;
}

function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at; at = parentAcross(at)) path.push(at);
  return path;
}

/** As a press of the mouse does: only what takes text shows that it has the focus. */
function moveFocus(pressed: Element): void {
  for (let at: Element | null = pressed; at; at = parentAcross(at)) {
    if (at.matches(FOCUSABLE)) {
      const shown = isEditable(at) ? {} : { focusVisible: false };
      if (at.ownerDocument.activeElement !== at) (at as HTMLElement).focus({ preventScroll: true, ...shown });
      return;
    }
  }
  const active = deepActiveElement(pressed.ownerDocument) as HTMLElement | null;
  if (active && active !== pressed.ownerDocument.body) active.blur();
}

/** Presses and releases a key, with the browser's default action. False when a page cannot trigger that. */
function pressKey(element: Element, chord: Chord): boolean {
  const isModifier = ["Shift", "Control", "Alt", "Meta"].includes(chord.key);
  let proceed = fireKey(element, "keydown", chord);
  const typesText = chord.key.length === 1 || chord.key === "Enter";
  const shortcut = chord.modifiers.some((modifier) => modifier !== "Shift");
  if (proceed && typesText && !shortcut && !isModifier) proceed = fireKey(element, "keypress", chord);
  const done = !proceed || isModifier || defaultKeyAction(element, chord);
  const now = deepActiveElement(element.ownerDocument) ?? element;
  const released = fireKey(now.isConnected ? now : element, "keyup", chord);
  if (proceed && released && chord.key === " " && isPressable(element)) (element as HTMLElement).click();
  return done;
}
