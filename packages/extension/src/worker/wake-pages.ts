/// <reference types="chrome" />
import { WAKE } from "../port-messages.js";

/** Asks documents that lost their port with an earlier worker to connect, because they may have events for the hub. */
export async function wakePages(): Promise<void> {
  for (const { id } of await chrome.tabs.query({})) {
    if (id !== undefined) chrome.tabs.sendMessage(id, WAKE).catch(() => {});
  }
}
