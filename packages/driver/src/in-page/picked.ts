import type { PageEngine } from "@debug-bridge/page";

const MAX_HTML = 2_000;
const MAX_NAME = 200;

/** What an agent needs to know of an element that the person picked. */
export function describePicked({ view }: PageEngine, element: Element): string {
  const { ref, role, name, text } = view.itemOf(element);
  const { html } = view.html(element, MAX_HTML);
  return JSON.stringify({ ref, role, name: (name ?? text ?? "").slice(0, MAX_NAME), html });
}
