import { documentIn, isFrame } from "../../elements/dom.js";

/** What is drawn inside an element: what its slot holds, the document of its frame, its shadow root, or its content. */
export function childNodesOf(element: Element): Iterable<Node> {
  if (element.localName === "slot") {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    return assigned.length > 0 ? assigned : element.childNodes;
  }
  if (isFrame(element)) {
    const inside = documentIn(element)?.body;
    return inside ? [inside] : [];
  }
  return (element.shadowRoot ?? element).childNodes;
}
