import { parentAcross } from "./dom.js";

const MODAL = "dialog:modal";

/**
 * The modal dialog that keeps the rest of the document from being used. Of several it is the one that was opened last,
 * wherever it stands; nothing else can be hit, so any point of the window tells which that is.
 */
export function topModal(document: Document): Element | undefined {
  const inDocument = document.querySelectorAll(MODAL);
  return inDocument.length > 0 ? (hitModal(document) ?? inDocument[inDocument.length - 1]) : undefined;
}

/** As `topModal`, at the price of looking also where the document itself has none: in its shadow roots. */
export function topModalAnywhere(document: Document): Element | undefined {
  return topModal(document) ?? hitModal(document);
}

function hitModal(document: Document): Element | undefined {
  const { innerWidth = 0, innerHeight = 0 } = document.defaultView ?? {};
  // Text in a slot belongs to the host, so the middle may say nothing of the dialog around it; its backdrop does.
  return modalAt(document, innerWidth / 2, innerHeight / 2) ?? modalAt(document, 1, 1);
}

function modalAt(document: Document, x: number, y: number): Element | undefined {
  let hit = document.elementFromPoint(x, y);
  for (let root = hit?.shadowRoot; root; root = hit?.shadowRoot) {
    const inner: Element | null = root.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  for (let at = hit; at; at = parentAcross(at)) if (at.matches(MODAL)) return at;
  return undefined;
}
