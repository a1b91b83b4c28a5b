/// <reference types="chrome" />
import type { ConnectionStates } from "../connection/manager.js";
import { summarize } from "../connection/summary.js";

const ASKING = "#b35900";
const STATE = "#57606a";

/** Shows on the extension's icon how many questions wait for the person; without any, the connection state. */
export async function showBadge(states: ConnectionStates, questions: number): Promise<void> {
  const text = questions > 0 ? "?" : stateText(states);
  await Promise.all([
    chrome.action.setBadgeText({ text }),
    chrome.action.setBadgeBackgroundColor({ color: questions > 0 ? ASKING : STATE }),
    chrome.action.setTitle({ title: questions > 0 ? "Debug Bridge: agents ask for access" : "Debug Bridge" }),
  ]);
}

function stateText(states: ConnectionStates): string {
  const status = summarize(states);
  if (status === "failed" || status === "incompatible" || status === "unpaired") return "!";
  return status === "connected" || status === "partly-connected" ? "" : "…";
}
