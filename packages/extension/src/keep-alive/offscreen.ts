/// <reference types="chrome" />
import type { ConnectionState } from "../connection/state.js";

/** Opens the keep-alive page while the relay is connected, and closes it when there is no relay. */
export async function keepWorkerAlive(status: ConnectionState["status"]): Promise<void> {
  try {
    if (status === "connected" && !(await chrome.offscreen.hasDocument()))
      await chrome.offscreen.createDocument({
        url: "keep-alive.html",
        reasons: [chrome.offscreen.Reason.WORKERS],
        justification: "Keeps the connection with the relay while agents work in tabs.",
      });
    if (status === "failed" && (await chrome.offscreen.hasDocument())) await chrome.offscreen.closeDocument();
  } catch {
    // The state changed twice at the same moment. The page is open, or is closed with the browser.
  }
}
