/** Events by which a person uses an element; `click` is part of the first. */
const USING = "dblclick mousedown pointerdown";
/** The same as frameworks name their handlers: `onClick`, `onMouseDownCapture`, `$$click`. */
const HANDLER = /^(?:on|\$\$)?(?:(?:dbl|double)?click|mousedown|pointerdown)/i;
/** Where frameworks that listen at the root keep the handlers of an element: React, Svelte, Vue. */
const HANDLERS = /^(?:__reactProps\$.*|events|_vei)$/;

/** Whether a person uses an element by this event. No expression, whose match the app could notice. */
export function isUsing(type: string): boolean {
  return USING.includes(type);
}

/** Answers whether an element has its own handler. Made for one look at the page. */
export type Reacts = (element: Element) => boolean;

/** Whether a framework, or an `onclick` property, handles the use of an element. Works in the page's own world. */
export function hasHandler(element: Element): boolean {
  try {
    const { onclick, onmousedown, onpointerdown } = element as HTMLElement;
    if (onclick ?? onmousedown ?? onpointerdown) return true;
    for (const key of Reflect.ownKeys(element)) {
      const name = typeof key === "symbol" ? String(key.description) : key;
      const held = (element as unknown as Record<PropertyKey, unknown>)[key];
      // Solid keeps each handler on the element itself.
      if (name.startsWith("$$") && held && HANDLER.test(name)) return true;
      if (HANDLERS.test(name) && Object.entries(held as object).some(([on, run]) => run && HANDLER.test(on)))
        return true;
    }
  } catch {
    // Whatever the page put there.
  }
  return false;
}
