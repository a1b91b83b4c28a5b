import { readComponents } from "@debug-bridge/page/components";
import { hasHandler, isUsing } from "@debug-bridge/page/reacting";
import { sourceReader } from "@debug-bridge/page/source";

/** What the browser's own tools call to list the listeners of an object. */
type GetEventListeners = (target: object) => Record<string, readonly unknown[]>;

/**
 * Runs in the page's own world, where handlers, and what frameworks attach to elements, can be seen. The engine queries with
 * an event, and each element that has a handler, or a source, replies with one: both worlds share events, and no other code
 * knows their name. An event at the document queries all elements in it, an event at an element queries that one.
 *
 * Chrome keeps `getEventListeners` from extensions: in their tabs only what the page itself exposes counts.
 */
export function answerWhoReacts(channel: string, getEventListeners?: GetEventListeners): void {
  const reacts = (element: Element): boolean => {
    const listeners = getEventListeners?.(element) ?? {};
    for (const type in listeners) if (isUsing(type)) return true;
    return hasHandler(element);
  };
  const answer = (element: Element): void => {
    if (reacts(element)) element.dispatchEvent(new Event(channel, { composed: true }));
  };
  const visitAll = (root: Document | ShadowRoot, visit: (element: Element) => void): void => {
    for (const element of root.querySelectorAll("*")) {
      visit(element);
      if (element.shadowRoot) visitAll(element.shadowRoot, visit);
    }
  };
  const reportReacting = (event: Event): void => {
    const [at] = event.composedPath();
    if (at === document) visitAll(document, answer);
    else answer(at as Element);
  };
  document.addEventListener(`${channel}?`, reportReacting, true);
  const reportSource = (event: Event): void => {
    const [at] = event.composedPath();
    const sourceOf = sourceReader(getEventListeners);
    const report = (element: Element): void => {
      const detail = sourceOf(element);
      if (detail) element.dispatchEvent(new CustomEvent(`${channel}source`, { composed: true, detail }));
    };
    if (at === document) visitAll(document, report);
    else report(at as Element);
  };
  document.addEventListener(`${channel}source?`, reportSource, true);
  const reportComponents = (event: Event): void => {
    const [at] = event.composedPath();
    const detail = readComponents(at as Element);
    at?.dispatchEvent(new CustomEvent(`${channel}component`, { composed: true, detail }));
  };
  document.addEventListener(`${channel}component?`, reportComponents, true);
}

/** In the engine's world: queries which elements have handlers, and collects the replies synchronously. */
export function queryReacting(channel: string): (isAll: boolean) => (element: Element) => boolean {
  let reacting = new Set<EventTarget | undefined>();
  const listening = new WeakSet<Document>();
  const collect = (event: Event): void => {
    event.stopImmediatePropagation();
    reacting.add(event.composedPath()[0]);
  };
  const listen = (to: Document): void => {
    if (!listening.has(to)) to.addEventListener(channel, collect, true);
    listening.add(to);
  };
  const query = (at: Document | Element): void =>
    void at.dispatchEvent(new Event(`${channel}?`, { composed: true }));
  return (isAll) => {
    reacting = new Set();
    const answers = reacting;
    if (isAll) {
      const documents = documentsFrom(document);
      for (const each of documents) listen(each);
      for (const each of documents) query(each);
      return (element) => answers.has(element);
    }
    return (element) => {
      listen(element.ownerDocument);
      query(element);
      return answers.has(element);
    };
  };
}

/** In the engine's world: queries which source elements come from. What the elements themselves expose is known without it. */
export function querySources(channel: string): (isAll: boolean) => (element: Element) => string {
  return (isAll) => {
    const sources = new Map<EventTarget | undefined, string>();
    const collect = (event: Event): void => {
      event.stopImmediatePropagation();
      sources.set(event.composedPath()[0], String((event as CustomEvent).detail));
    };
    /** Queries a whole document, or one element of it. */
    const query = (page: Document, at: Document | Element): void => {
      page.addEventListener(`${channel}source`, collect, true);
      at.dispatchEvent(new Event(`${channel}source?`, { composed: true }));
      page.removeEventListener(`${channel}source`, collect, true);
    };
    if (isAll) for (const each of documentsFrom(document)) query(each, each);
    const sourceOf = sourceReader();
    return (element) => {
      if (!isAll) query(element.ownerDocument, element);
      return sources.get(element) ?? sourceOf(element);
    };
  };
}

/** In the engine's world: queries the components around an element. */
export function queryComponents(channel: string): (element: Element) => string | undefined {
  return (element) => {
    let components: string | undefined;
    const collect = (event: Event): void => {
      event.stopImmediatePropagation();
      components = String((event as CustomEvent).detail);
    };
    const page = element.ownerDocument;
    page.addEventListener(`${channel}component`, collect, true);
    element.dispatchEvent(new Event(`${channel}component?`, { composed: true }));
    page.removeEventListener(`${channel}component`, collect, true);
    return components;
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
