import type { Guard } from "../guard.js";

/** Nothing of these reaches the page while a person chooses. */
const TAKEN = [
  ...["pointerdown", "mousedown", "pointerup", "mouseup"],
  ...["click", "dblclick", "auxclick", "contextmenu"],
];

export interface PickerOptions {
  readonly page: Document;
  readonly guard: Guard;
  isOurs(node: Node): boolean;
  /** The pointer is over an element. */
  onOver(element: Element): void;
}

/**
 * Lets the person point at an element and click it, which does nothing else. Escape cancels.
 *
 * @returns the element, or nothing when they cancelled or `signal` ended it
 */
export function pickElement(
  { page, guard, isOurs, onOver }: PickerOptions,
  signal: AbortSignal,
): Promise<Element | undefined> {
  const window = page.defaultView as Window;
  return new Promise((resolve) => {
    const ends: (() => void)[] = [];
    const end = (element?: Element): void => {
      for (const each of ends.splice(0)) each();
      resolve(element);
    };
    const on = (type: string, listener: (event: Event) => void): void => {
      const guarded = guard.wrap(listener);
      window.addEventListener(type, guarded, { capture: true });
      ends.push(() => window.removeEventListener(type, guarded, { capture: true }));
    };
    const elementOf = (event: Event): Element | undefined => {
      const found = event.composedPath()[0] as Element | undefined;
      return found?.nodeType === 1 && !isOurs(found) ? found : undefined;
    };
    const abort = (): void => end();
    signal.addEventListener("abort", abort);
    ends.push(() => signal.removeEventListener("abort", abort));
    on("pointermove", (event) => {
      const element = elementOf(event);
      if (element) onOver(element);
    });
    on("keydown", (event) => {
      if ((event as KeyboardEvent).key !== "Escape") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      end();
    });
    for (const type of TAKEN)
      on(type, (event) => {
        // Before anything else: what our own code throws must not let the page see the click.
        event.preventDefault();
        event.stopImmediatePropagation();
        const element = elementOf(event);
        if (type === "click" && element) end(element);
      });
    if (signal.aborted) end();
  });
}
