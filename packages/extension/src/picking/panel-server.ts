/// <reference types="chrome" />
import type { FromPanel, ToPanel } from "../port-messages.js";
import { describeElement, engineContext } from "./describe-element.js";
import type { ElementPicker } from "./element-picker.js";
import { captureElement, capturePage } from "./page-picture.js";

/** The part of the debugger that the side panel needs. */
export interface SharedTabs {
  readonly picker: ElementPicker;
  /** Attaches the debugger to a tab that is shared, and has the hub prepare it. Rejects in words for the person. */
  prepare(tabId: number): Promise<void>;
}

/**
 * Serves the side panel: a port for each request. The panel ends a request by closing its port, as it does when it is
 * closed itself.
 */
export function servePanel(port: chrome.runtime.Port, tabs: SharedTabs): void {
  const controller = new AbortController();
  port.onDisconnect.addListener(() => controller.abort());
  port.onMessage.addListener((message: FromPanel) => {
    const answer = (reply: ToPanel): void => {
      if (!controller.signal.aborted) port.postMessage(reply);
    };
    run(message, tabs, controller.signal, answer).then(answer, (thrown: Error) =>
      answer({ kind: "failed", message: thrown.message }),
    );
  });
}

async function run(
  { kind, tabId }: FromPanel,
  tabs: SharedTabs,
  signal: AbortSignal,
  answer: (reply: ToPanel) => void,
): Promise<ToPanel> {
  await tabs.prepare(tabId);
  if (kind === "capture") return { kind: "captured", picture: await capturePage(tabId) };
  // The person has to see it.
  await chrome.tabs.update(tabId, { active: true });
  const engine = await engineContext(tabId);
  const node = await tabs.picker.pick(tabId, signal, () => answer({ kind: "ready" }));
  if (node === undefined) return { kind: "cancelled" };
  // The page may have loaded another document meanwhile.
  const element = await describeElement(tabId, node, engine).catch(async () =>
    describeElement(tabId, node, await engineContext(tabId)),
  );
  const picture = await captureElement(tabId, node).catch(() => undefined);
  return { kind: "picked", element, ...(picture ? { picture } : {}) };
}
