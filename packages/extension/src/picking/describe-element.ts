/// <reference types="chrome" />
import type { PickedElement } from "@debug-bridge/protocol";
import { send } from "./cdp.js";
import { sourceText } from "./source-text.js";

/** The world of the page engine in a tab. */
const WORLD = "debug-bridge";
const READY_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 50;
const GROUP = "debug-bridge-pick";
const UNREACHABLE =
  "This element cannot be picked: it is gone, or inside a frame of another site. Pick what is around it, or describe it.";

/** Each costs some requests, while the person waits. */
const MAX_FRAMES = 50;

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string };
}

/** The engine's world in the tab's own document, once the hub has put the engine there. */
export async function engineContext(tabId: number): Promise<number> {
  const { frameTree } = await send<{ frameTree: FrameTree }>(tabId, "Page.getFrameTree");
  for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; ) {
    const { executionContextId: contextId } = await world(tabId, frameTree.frame.id);
    const expression = "typeof debugBridge === 'object' && typeof debugBridge.picked === 'function'";
    const { result } = await send<Evaluated>(tabId, "Runtime.evaluate", { expression, contextId });
    if (result.value === true) return contextId;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error("The hub did not prepare the page in time. Is it connected?");
}

const ASK_ENGINE = `function () {
  const element = this.nodeType === 1 ? this : this.parentElement;
  return typeof debugBridge === "object" ? debugBridge.picked(element) : undefined;
}`;

/** What the page engine knows of an element, and the source that the page's own code gives it. */
export async function describeElement(
  tabId: number,
  backendNodeId: number,
): Promise<Omit<PickedElement, "imageIndex">> {
  try {
    const { ref, role, name, html } = await queryEngine(tabId, backendNodeId);
    const source = await sourceOf(tabId, backendNodeId).catch(() => undefined);
    const about = { sessionId: `tab-${tabId}`, ref, role, name, ...(html === undefined ? {} : { html }) };
    return source === undefined ? about : { ...about, source };
  } finally {
    await send(tabId, "Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  }
}

/** The engine of the page sees frames of its own origin; each of the others in this process has a separate engine. */
async function queryEngine(tabId: number, backendNodeId: number): Promise<PickedElement> {
  const { frameTree } = await send<{ frameTree: FrameTree }>(tabId, "Page.getFrameTree");
  for (const frameId of frameIds(frameTree).slice(0, MAX_FRAMES)) {
    const { executionContextId } = await world(tabId, frameId);
    // A world has no object for a node that it cannot see.
    const reported = await callOn(tabId, { backendNodeId, executionContextId }, ASK_ENGINE).catch(
      () => undefined,
    );
    if (typeof reported === "string") return JSON.parse(reported) as PickedElement;
  }
  throw new Error(UNREACHABLE);
}

const frameIds = ({ frame, childFrames = [] }: FrameTree): string[] => [
  frame.id,
  ...childFrames.flatMap(frameIds),
];

function world(tabId: number, frameId: string): Promise<{ executionContextId: number }> {
  return send(tabId, "Page.createIsolatedWorld", { frameId, worldName: WORLD });
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
  });
  const { result } = await send<Evaluated>(tabId, "Runtime.callFunctionOn", {
    ...{ objectId: object.objectId, functionDeclaration },
    ...{ returnByValue: true, silent: true },
  });
  return result.value;
}
