/** Reads one of an element's ARIA attributes. */
export type Aria = (name: `aria-${string}`) => string | null;

const NONE: Aria = () => null;

/** Most elements have no ARIA attribute at all: they are asked once instead of for each of a dozen. */
export function ariaOf(element: Element): Aria {
  for (const name of element.getAttributeNames())
    if (name.startsWith("aria-")) return (wanted) => element.getAttribute(wanted);
  return NONE;
}
