import { hasHandler, isUsing } from "@debug-bridge/page/reacting";

/** What the browser's own tools call to list the listeners of an object. */
type GetEventListeners = (target: object) => Record<string, readonly unknown[]>;

/**
 * Runs in the page's own world, where handlers can be seen. When the engine asks with an event, each element that has a
 * handler answers with one: events are what both worlds share, and nobody else knows their name.
 */
export function answerWhoReacts(channel: string, getEventListeners: GetEventListeners): void {
  const reacts = (element: Element): boolean => {
    const listeners = getEventListeners(element);
    for (const type in listeners) if (isUsing(type)) return true;
    return hasHandler(element);
  };
  const answer = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (reacts(element)) element.dispatchEvent(new Event(channel, { composed: true }));
      if (element.shadowRoot) answer(element.shadowRoot);
    }
  };
  document.addEventListener(`${channel}?`, () => answer(document));
}

/** In the engine's world: asks which elements have handlers, and collects the answers at once. */
export function askWhoReacts(channel: string): () => (element: Element) => boolean {
  return () => {
    const reacting = new Set<EventTarget | undefined>();
    const collect = (event: Event): void => {
      event.stopImmediatePropagation();
      reacting.add(event.composedPath()[0]);
    };
    const documents = documentsFrom(document);
    for (const each of documents) each.addEventListener(channel, collect, true);
    for (const each of documents) each.dispatchEvent(new Event(`${channel}?`));
    for (const each of documents) each.removeEventListener(channel, collect, true);
    return (element) => reacting.has(element);
  };
}

function documentsFrom(top: Document): Document[] {
  const inner = Array.from(top.querySelectorAll("iframe,frame"), documentIn);
  return [top, ...inner.flatMap((each) => (each ? documentsFrom(each) : []))];
}

function documentIn(element: Element): Document | null {
  try {
    return (element as HTMLIFrameElement).contentDocument ?? null;
  } catch {
    return null;
  }
}
