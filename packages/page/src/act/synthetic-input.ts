import type { ClickOptions, PageInput } from "../input.js";
import { containsAcross, deepActiveElement, parentAcross } from "../look/dom.js";
import { hitTest, type Point } from "../look/visibility.js";
import { syntheticDrag } from "./drag.js";
import { fireKey, firePointer, type PointerDetails } from "./events.js";
import { insertText } from "./insert-text.js";
import { defaultKeyAction } from "./key-defaults.js";
import { type Chord, charKey } from "./keys.js";

const FOCUSABLE =
  "a[href],area[href],button:enabled,input:enabled,select:enabled,textarea:enabled,summary,iframe,[tabindex],[contenteditable]:not([contenteditable='false'])";

/** Input by dispatched events: what a page can do to itself, in the order in which a browser would do it. */
export function syntheticInput(): PageInput {
  let over: Element | undefined;

  const moveTo = (element: Element, point: Point): void => {
    const at = innermost(element, point);
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
    hover: moveTo,
    click(element, point, options) {
      moveTo(element, point);
      for (let nth = 1; nth <= options.count; nth++) clickOnce(element, point, options, nth);
      if (options.count === 2 && options.button === "left") {
        firePointer(innermost(element, point), "dblclick", {
          point,
          button: "left",
          detail: 2,
          modifiers: options.modifiers,
        });
      }
    },
    typeText,
    press(element, chord) {
      pressKey(element, chord);
    },
    drag: (source, from, target, to) => syntheticDrag(source, from, target, to, moveTo),
  };
}

/** Longer texts are inserted in one piece, as pasting does. */
const KEY_BY_KEY = 200;

async function typeText(field: Element, text: string): Promise<void> {
  if (text.length > KEY_BY_KEY) {
    insertText(field, text);
    return;
  }
  for (const char of text) {
    const at = field.isConnected ? field : (deepActiveElement(field.ownerDocument) ?? field);
    const shift = /[A-Z]/.test(char);
    const chord: Chord = { ...charKey(char, shift), modifiers: shift ? ["Shift"] : [] };
    if (fireKey(at, "keydown", chord) && fireKey(at, "keypress", chord)) insertText(at, char);
    fireKey(at, "keyup", chord);
    // Lets the framework render between keys, as it does for a person.
    await null;
  }
}

function clickOnce(element: Element, point: Point, { button, modifiers }: ClickOptions, nth: number): void {
  const at = innermost(element, point);
  const down: PointerDetails = { point, button, held: true, detail: nth, modifiers };
  const up: PointerDetails = { point, button, detail: nth, modifiers };
  const pressed = firePointer(at, "pointerdown", down);
  const wanted = firePointer(at, "mousedown", down);
  if (pressed && wanted) moveFocus(at);
  firePointer(at, "pointerup", up);
  firePointer(at, "mouseup", up);
  if (!at.isConnected) return;
  if (button === "left") firePointer(at, "click", up);
  else {
    firePointer(at, "auxclick", up);
    if (button === "right") firePointer(at, "contextmenu", up);
  }
}

/** What a press at this point really meets: a child of the element, such as the icon in a button. */
function innermost(element: Element, point: Point): Element {
  const hit = hitTest(element, point);
  return hit && containsAcross(element, hit) ? hit : element;
}

function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at; at = parentAcross(at)) path.push(at);
  return path;
}

function moveFocus(pressed: Element): void {
  for (let at: Element | null = pressed; at; at = parentAcross(at)) {
    if (at.matches(FOCUSABLE)) {
      if (at.ownerDocument.activeElement !== at) (at as HTMLElement).focus({ preventScroll: true });
      return;
    }
  }
  const active = deepActiveElement(pressed.ownerDocument) as HTMLElement | null;
  if (active && active !== pressed.ownerDocument.body) active.blur();
}

/** Presses and releases a key, with what the browser would do by default. */
function pressKey(element: Element, chord: Chord): void {
  const isModifier = ["Shift", "Control", "Alt", "Meta"].includes(chord.key);
  let proceed = fireKey(element, "keydown", chord);
  const typesText = chord.key.length === 1 || chord.key === "Enter";
  const shortcut = chord.modifiers.some((modifier) => modifier !== "Shift");
  if (proceed && typesText && !shortcut && !isModifier) proceed = fireKey(element, "keypress", chord);
  if (proceed) defaultKeyAction(element, chord);
  const now = deepActiveElement(element.ownerDocument) ?? element;
  const released = fireKey(now.isConnected ? now : element, "keyup", chord);
  if (
    proceed &&
    released &&
    chord.key === " " &&
    element.matches(
      "button,summary,input[type=checkbox],input[type=radio],input[type=submit],input[type=button]",
    )
  ) {
    (element as HTMLElement).click();
  }
}
