import { send } from "./cdp.js";
import { HIGHLIGHT } from "./element-picker.js";

const GROUP = "debug-bridge-pointer";

/** What a person may want to show: what can be used, and what is written. */
const POINTED =
  "a[href],button,input:not([type=hidden]),select,textarea,summary,label,img,video,canvas,h1,h2,h3,h4,h5,h6,p,li,td,th,pre,[role],[tabindex],[contenteditable]";

/** The element after or before another one, in the order of the page and its frames of the same origin. */
const NEIGHBOUR = `(from, step) => {
  const all = [];
  const collect = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.matches(${JSON.stringify(POINTED)}) && each.getClientRects().length > 0 && each.checkVisibility({ visibilityProperty: true })) all.push(each);
      if (each.shadowRoot) collect(each.shadowRoot);
      if (each.localName === "iframe" && each.contentDocument) collect(each.contentDocument);
    }
  };
  collect(document);
  const at = all.indexOf(from);
  return all[at === -1 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length] ?? null;
}`;

interface Remote {
  readonly result: { readonly objectId?: string };
}

/** Lets the person go through a page with keys, for those who cannot point with a mouse. */
export class KeyPointer {
  private current: string | undefined;

  constructor(
    private readonly tabId: number,
    /** The engine's world, which sees the page as the page cannot change it. */
    private readonly contextId: number,
  ) {}

  /** Marks the next element, or the one before, and returns it; nothing when the page has none. */
  async move(step: 1 | -1): Promise<number | undefined> {
    const { tabId } = this;
    const { result } = await send<Remote>(tabId, "Runtime.callFunctionOn", {
      functionDeclaration: NEIGHBOUR,
      executionContextId: this.contextId,
      arguments: [this.current === undefined ? { value: null } : { objectId: this.current }, { value: step }],
      objectGroup: GROUP,
    });
    this.current = result.objectId;
    if (result.objectId === undefined) return undefined;
    const { node } = await send<{ node: { backendNodeId: number } }>(tabId, "DOM.describeNode", {
      objectId: result.objectId,
    });
    await send(tabId, "DOM.scrollIntoViewIfNeeded", { backendNodeId: node.backendNodeId }).catch(() => {});
    const highlight = { highlightConfig: HIGHLIGHT, backendNodeId: node.backendNodeId };
    await send(tabId, "Overlay.highlightNode", highlight);
    return node.backendNodeId;
  }

  async close(): Promise<void> {
    await send(this.tabId, "Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  }
}
