/// <reference types="chrome" />
import type { PickedElement } from "@debug-bridge/protocol";
import { send } from "./cdp.js";
import { sourceText } from "./source-text.js";

/** The world of the page engine in a tab. */
const WORLD = "debug-bridge";
const READY_TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 50;
const GROUP = "debug-bridge-pick";

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string };
}

/** The engine's world in the tab's own document, once the hub has put the engine there. */
export async function engineContext(tabId: number): Promise<number> {
  const { frameTree } = await send<{ frameTree: { frame: { id: string } } }>(tabId, "Page.getFrameTree");
  for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; ) {
    const { executionContextId: contextId } = await send<{ executionContextId: number }>(
      tabId,
      "Page.createIsolatedWorld",
      { frameId: frameTree.frame.id, worldName: WORLD },
    );
    const expression = "typeof debugBridge === 'object' && typeof debugBridge.picked === 'function'";
    const { result } = await send<Evaluated>(tabId, "Runtime.evaluate", { expression, contextId });
    if (result.value === true) return contextId;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error("The hub did not prepare the page in time. Is it connected?");
}

/** What the page engine knows of an element, and the source that the page's own code gives it. */
export async function describeElement(
  tabId: number,
  backendNodeId: number,
  executionContextId: number,
): Promise<Omit<PickedElement, "imageIndex">> {
  try {
    const described = await callOn(
      tabId,
      { backendNodeId, executionContextId },
      "function () { const e = this.nodeType === 1 ? this : this.parentElement; return debugBridge.picked(e); }",
    );
    const { ref, role, name, html } = JSON.parse(String(described)) as PickedElement;
    const source = await sourceOf(tabId, backendNodeId).catch(() => undefined);
    const about = { sessionId: `tab-${tabId}`, ref, role, name, ...(html === undefined ? {} : { html }) };
    return source === undefined ? about : { ...about, source };
  } finally {
    await send(tabId, "Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  }
}

async function sourceOf(tabId: number, backendNodeId: number): Promise<string | undefined> {
  const script = await (await fetch(chrome.runtime.getURL("source.js"))).text();
  const nearest = `function () {
    ${script}
    for (let e = this.nodeType === 1 ? this : this.parentElement; e; e = e.parentElement) {
      const source = DebugBridgeSource.sourceOf(e);
      if (source) return source;
    }
  }`;
  return sourceText(await callOn(tabId, { backendNodeId }, nearest));
}

/** Calls a function with a node of the tab as `this`. */
async function callOn(tabId: number, node: object, functionDeclaration: string): Promise<unknown> {
  const { object } = await send<{ object: { objectId: string } }>(tabId, "DOM.resolveNode", {
    ...node,
    objectGroup: GROUP,
  }).catch(() => {
    throw new Error("An element inside a frame cannot be picked. Pick the frame, or describe the element.");
  });
  const { result } = await send<Evaluated>(tabId, "Runtime.callFunctionOn", {
    ...{ objectId: object.objectId, functionDeclaration },
    ...{ returnByValue: true, silent: true },
  });
  return result.value;
}
