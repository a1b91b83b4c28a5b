/// <reference types="chrome" />
import { isOnSite } from "@debug-bridge/protocol";

interface Attached {
  readonly sessionId?: string;
  readonly waitingForDebugger?: boolean;
  readonly targetInfo?: { readonly url?: string };
}

/** Frames and workers of other sites inside locked tabs. They are detached before a client learns of them. */
export class ForeignChildren {
  private readonly sessions = new Set<string>();

  has(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.sessions.has(sessionId);
  }

  /** Whether this event announces such a frame or worker, which is then released and detached. */
  refuses(tabId: number, parent: string | undefined, event: object, site: string): boolean {
    const { sessionId, waitingForDebugger, targetInfo } = event as Attached;
    const url = targetInfo?.url ?? "";
    if (sessionId === undefined || isHarmless(url) || isOnSite(url.replace(/^blob:/, ""), site)) return false;
    this.sessions.add(sessionId);
    if (waitingForDebugger) send({ tabId, sessionId }, "Runtime.runIfWaitingForDebugger", {});
    send(parent === undefined ? { tabId } : { tabId, sessionId: parent }, "Target.detachFromTarget", {
      sessionId,
    });
    return true;
  }
}

/** A document without its own site: it has that of the page that made it, or none. */
function isHarmless(url: string): boolean {
  return url === "" || /^(about:(blank|srcdoc)|data:)/.test(url);
}

function send(target: chrome.debugger.DebuggerSession, method: string, params: object): void {
  chrome.debugger.sendCommand(target, method, params as Record<string, unknown>, () => {
    void chrome.runtime.lastError;
  });
}
