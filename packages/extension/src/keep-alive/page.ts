/// <reference types="chrome" />
import { KEEP_ALIVE_PORT } from "../port-messages.js";

/**
 * The script of a hidden page that is open while the relay is connected. Chrome may stop the worker at any time, and
 * starts it again only for an event. When the port of this page breaks, it opens another one, which is such an event.
 */
const RECONNECT_MS = 50;

function connect(): void {
  try {
    const port = chrome.runtime.connect({ name: KEEP_ALIVE_PORT });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError;
      setTimeout(connect, RECONNECT_MS);
    });
  } catch {
    // The extension was reloaded; its new worker opens its own page.
  }
}

connect();
