/// <reference types="chrome" />
import { send } from "./cdp.js";
import { engineContext } from "./describe-element.js";
import type { SharedTabs } from "./panel-server.js";

/** The name of the command in the manifest. */
export const PICK_COMMAND = "pick-element";

/**
 * Lets the person pick an element of a shared tab: agents find it in their next `logs`, and the person in the clipboard. The page engine
 * does it, as with the SDK.
 */
export async function pickForAgents(tabId: number, tabs: Pick<SharedTabs, "prepare">): Promise<void> {
  await tabs.prepare(tabId);
  await chrome.tabs.update(tabId, { active: true });
  const contextId = await engineContext(tabId);
  // Without a gesture of the person, a page may not write to the clipboard.
  await send(tabId, "Runtime.evaluate", { expression: "debugBridge.pick()", contextId, userGesture: true });
}
