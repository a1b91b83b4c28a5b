/// <reference types="chrome" />

export interface ChromeEventHandlers {
  onCdpEvent(tabId: number, sessionId: string | undefined, method: string, params: object | undefined): void;
  onDetached(tabId: number, reason: string): void;
  onTabCreated(tab: chrome.tabs.Tab): void;
  onTabUpdated(tabId: number, change: chrome.tabs.OnUpdatedInfo, tab: chrome.tabs.Tab): void;
  onTabRemoved(tabId: number): void;
  onTabReplaced(added: number, removed: number): void;
  /** Chrome stopped a document in a tab's main frame before it was requested. */
  onDocumentBlocked(tabId: number, url: string): void;
  /** Another tab or another window is in front. */
  onFrontChanged(): void;
}

/**
 * Adds the listeners for debugger and tabs. Call it in the worker's first turn: Chrome starts a worker for an event and
 * delivers the event only to listeners that exist then.
 */
export function listenToChrome(handlers: ChromeEventHandlers): void {
  chrome.debugger.onEvent.addListener((source, method, params) => {
    const { tabId, sessionId } = source as { tabId?: number; sessionId?: string };
    if (tabId !== undefined) handlers.onCdpEvent(tabId, sessionId, method, params);
  });
  chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
    if (tabId !== undefined) handlers.onDetached(tabId, reason);
  });
  chrome.tabs.onCreated.addListener((tab) => handlers.onTabCreated(tab));
  chrome.tabs.onUpdated.addListener((tabId, change, tab) => handlers.onTabUpdated(tabId, change, tab));
  chrome.tabs.onRemoved.addListener((tabId) => handlers.onTabRemoved(tabId));
  chrome.tabs.onReplaced.addListener((added, removed) => handlers.onTabReplaced(added, removed));
  chrome.webNavigation.onErrorOccurred.addListener(({ tabId, frameId, url, error }) => {
    if (frameId === 0 && error === "net::ERR_BLOCKED_BY_CLIENT") handlers.onDocumentBlocked(tabId, url);
  });
  chrome.tabs.onActivated.addListener(() => handlers.onFrontChanged());
  chrome.windows.onFocusChanged.addListener(() => handlers.onFrontChanged());
}
