/// <reference types="chrome" />
/**
 * A page that nobody sees, and that lives while there is a relay. Chrome may end the worker at any time, and starts it
 * again only when something happens; when its port breaks, this page makes something happen.
 */
export const KEEPER_PORT = "keeper";
const AGAIN_MS = 50;

function keep(): void {
  try {
    const port = chrome.runtime.connect({ name: KEEPER_PORT });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError;
      setTimeout(keep, AGAIN_MS);
    });
  } catch {
    // The extension was reloaded; its new worker opens a page of its own.
  }
}

// The worker takes the name of the port from here, and must not keep itself.
if (typeof document === "object") keep();
