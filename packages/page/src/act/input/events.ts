import type { Modifier } from "../../input.js";
import type { Point } from "../../view/elements/visibility.js";
import type { Chord } from "./keys.js";

const BUTTONS = { left: 0, middle: 1, right: 2 } as const;
const HELD = { left: 1, middle: 4, right: 2 } as const;

export interface PointerDetails {
  readonly point: Point;
  readonly button?: keyof typeof BUTTONS;
  readonly held?: boolean;
  readonly detail?: number;
  readonly modifiers?: readonly Modifier[];
  readonly related?: Element | null;
  /** What is dragged, for an event of drag and drop. */
  readonly data?: DataTransfer;
}

type ViewWindow = Window & typeof globalThis;

export function viewOf(element: Element): ViewWindow {
  return element.ownerDocument.defaultView as ViewWindow;
}

/** Dispatches a pointer or mouse event like a browser's. False when the app prevented the default. */
export function firePointer(element: Element, type: string, details: PointerDetails): boolean {
  const { point, button, held = false, detail = 0, modifiers = [], related = null } = details;
  const view = viewOf(element);
  const init: PointerEventInit = {
    bubbles: !/^[mp].*(?:enter|leave)$/.test(type),
    cancelable: true,
    composed: true,
    view,
    detail,
    clientX: point.x,
    clientY: point.y,
    screenX: point.x + view.screenX,
    screenY: point.y + view.screenY,
    button: button ? BUTTONS[button] : type.endsWith("move") && type.startsWith("pointer") ? -1 : 0,
    buttons: held && button ? HELD[button] : 0,
    relatedTarget: related,
    ...modifierKeys(modifiers),
  };
  if (details.data)
    return element.dispatchEvent(new view.DragEvent(type, { ...init, dataTransfer: details.data }));
  if (!type.startsWith("pointer")) return element.dispatchEvent(new view.MouseEvent(type, init));
  const pointer = {
    pointerId: 1,
    pointerType: "mouse",
    isPrimary: true,
    width: 1,
    height: 1,
    pressure: held ? 0.5 : 0,
  };
  return element.dispatchEvent(new view.PointerEvent(type, { ...init, ...pointer }));
}

/** Dispatches a key event. False when the app prevented the default. */
export function fireKey(element: Element, type: "keydown" | "keypress" | "keyup", chord: Chord): boolean {
  const view = viewOf(element);
  const { key, code, keyCode, modifiers } = chord;
  const charCode = type === "keypress" ? (key === "Enter" ? 13 : (key.codePointAt(0) ?? 0)) : 0;
  const init = {
    bubbles: true,
    cancelable: true,
    composed: true,
    view,
    key,
    code,
    ...modifierKeys(modifiers),
  };
  return element.dispatchEvent(
    new view.KeyboardEvent(type, {
      ...init,
      keyCode: charCode || keyCode,
      which: charCode || keyCode,
      charCode,
    } as KeyboardEventInit),
  );
}

export function fire(element: Element, type: string): boolean {
  const view = viewOf(element);
  return element.dispatchEvent(
    new view.Event(type, { bubbles: true, cancelable: type !== "input", composed: type === "input" }),
  );
}

function modifierKeys(modifiers: readonly Modifier[]): EventModifierInit {
  return {
    altKey: modifiers.includes("Alt"),
    ctrlKey: modifiers.includes("Control"),
    metaKey: modifiers.includes("Meta"),
    shiftKey: modifiers.includes("Shift"),
  };
}
