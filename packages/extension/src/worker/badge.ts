/// <reference types="chrome" />
import type { ConnectionStates } from "../connection/manager.js";
import { summarize } from "../connection/summary.js";

/** Shows the connection state on the extension's icon. */
export async function showBadge(states: ConnectionStates): Promise<void> {
  const status = summarize(states);
  const text =
    status === "failed" || status === "incompatible" || status === "unpaired"
      ? "!"
      : status === "connected" || status === "partly-connected"
        ? ""
        : "…";
  await chrome.action.setBadgeText({ text });
}
