/// <reference types="chrome" />
import type { FromPanel, ToPanel } from "../port-messages.js";
import { describeElement, engineContext } from "./describe-element.js";
import type { ElementPicker } from "./element-picker.js";
import { KeyPointer } from "./key-pointer.js";
import { captureElement, capturePage } from "./page-picture.js";

/** The part of the debugger that the side panel needs. */
export interface SharedTabs {
  readonly picker: ElementPicker;
  /** Attaches the debugger to a tab that is shared, and has the hub prepare it. Rejects in words for the person. */
  prepare(tabId: number): Promise<void>;
  /** Has a tab draw that nobody may see, without which it cannot be captured, until the returned function is called. */
  keepDrawing(tabId: number): () => void;
}

type KeyMessage = Extract<FromPanel, { kind: "point" | "choose" }>;

interface Request {
  readonly signal: AbortSignal;
  answer(reply: ToPanel): void;
  /** Calls a function for the keys that the person presses in the panel. */
  onKey(listener: (message: KeyMessage) => void): void;
}

/**
 * Serves the side panel: a port for each request. The panel ends a request by closing its port, as it does when it is
 * closed itself.
 */
export function servePanel(port: chrome.runtime.Port, tabs: SharedTabs): void {
  const controller = new AbortController();
  const { signal } = controller;
  port.onDisconnect.addListener(() => controller.abort());
  const answer = (reply: ToPanel): void => {
    if (!signal.aborted) port.postMessage(reply);
  };
  let onKey = (_message: KeyMessage): void => {};
  const request: Request = {
    ...{ signal, answer },
    onKey: (listener) => {
      onKey = listener;
    },
  };
  port.onMessage.addListener((message: FromPanel) => {
    if (message.kind === "point" || message.kind === "choose") onKey(message);
    else
      run(message, tabs, request).then(answer, (thrown: Error) =>
        answer({ kind: "failed", message: thrown.message }),
      );
  });
}

async function run(
  { kind, tabId }: Exclude<FromPanel, KeyMessage>,
  tabs: SharedTabs,
  request: Request,
): Promise<ToPanel> {
  await tabs.prepare(tabId);
  if (kind === "capture") return { kind: "captured", picture: await drawn(tabId, tabs, capturePage(tabId)) };
  // The person has to see it.
  await chrome.tabs.update(tabId, { active: true });
  const pointer = new KeyPointer(tabId, await engineContext(tabId));
  pointWithKeys(tabId, pointer, tabs.picker, request);
  const node = await tabs.picker
    .pick(tabId, request.signal, () => request.answer({ kind: "ready" }))
    .finally(() => pointer.close());
  if (node === undefined) return { kind: "cancelled" };
  // The page may have loaded another document meanwhile.
  const element = await describeElement(tabId, node).catch(async () => {
    await engineContext(tabId);
    return describeElement(tabId, node);
  });
  const picture = await drawn(tabId, tabs, captureElement(tabId, node)).catch(() => undefined);
  return { kind: "picked", element, ...(picture ? { picture } : {}) };
}

async function drawn<Value>(tabId: number, tabs: SharedTabs, capture: Promise<Value>): Promise<Value> {
  const rest = tabs.keepDrawing(tabId);
  return capture.finally(rest);
}

/** One key after the other: each begins at the element of the one before. */
function pointWithKeys(
  tabId: number,
  pointer: KeyPointer,
  picker: ElementPicker,
  { answer, onKey }: Request,
): void {
  let node: number | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const follow = async (message: KeyMessage): Promise<void> => {
    if (message.kind === "choose") {
      if (node !== undefined) picker.choose(tabId, node);
      return;
    }
    node = await pointer.move(message.step);
    if (node === undefined) return;
    const { role, name } = await describeElement(tabId, node);
    answer({ kind: "pointed", role, name });
  };
  onKey((message) => {
    // A page that is being left has nothing to point at.
    queue = queue.then(() => follow(message)).catch(() => {});
  });
}
