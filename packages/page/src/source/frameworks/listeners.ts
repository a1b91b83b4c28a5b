import { codeForm } from "./forms.js";

/** Functions that run when something happens to an element, by the type of the event. */
export type ListenersOf = (element: Element) => Record<string, readonly unknown[]>;

/** What says most about an element comes first. */
const TYPES = ["click", "pointerdown", "mousedown", "submit", "change", "input", "keydown"];

/** A plain page says nothing about its elements, but the code that reacts to them has a place. */
export function ofListeners(element: Element, listenersOf: ListenersOf | undefined): string {
  const listeners = listenersOf?.(element) ?? {};
  for (const type of TYPES) {
    const handler = (element as unknown as Record<string, unknown>)[`on${type}`];
    const found = [handler, ...(listeners[type] ?? []).map(functionIn)].find(
      (each): each is () => void => typeof each === "function",
    );
    if (found) return `${type} listener\n${codeForm(Function.prototype.toString.call(found))}`;
  }
  return "";
}

/** The browser lists listeners with their options; one may be an object with a method. */
function functionIn(listed: unknown): unknown {
  const { listener = listed } = (listed ?? {}) as { listener?: unknown };
  return typeof listener === "function" ? listener : (listener as { handleEvent?: unknown })?.handleEvent;
}
