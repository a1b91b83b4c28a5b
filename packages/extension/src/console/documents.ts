/// <reference types="chrome" />
import { CONSOLE_RATE_LIMITS, type ConsoleSource, RateWindow } from "@debug-bridge/protocol";
import type { Place, ToPage } from "../port-messages.js";
import { sourceOf } from "./envelope.js";

/** One document that is captured. */
export class CapturedDocument {
  place: Place;
  /** Number of the newest event. A content script may send older ones again. */
  lastSeq = -1;
  port: chrome.runtime.Port | undefined;

  constructor(
    readonly key: string,
    readonly tabId: number,
    readonly frameId: number,
    readonly documentId: string | undefined,
    url: string,
  ) {
    this.place = { url, title: "" };
  }

  post(message: ToPage): void {
    try {
      this.port?.postMessage(message);
    } catch {
      // The document was closed at this moment.
    }
  }
}

/** One tab with captured documents. */
export interface CapturedTab {
  readonly tabId: number;
  url: string;
  title: string;
  readonly rate: RateWindow;
  /** Dropped events that were not reported to the hub yet. */
  dropped: number;
}

const MAX_DOCUMENTS = 200;

/** The documents and tabs that are captured, and closed ones whose last events may still arrive. */
export class CapturedDocuments {
  private readonly documents = new Map<string, CapturedDocument>();
  readonly tabs = new Map<number, CapturedTab>();

  connect(port: chrome.runtime.Port): CapturedDocument | undefined {
    const { tab, frameId = 0, documentId, url = "" } = port.sender ?? {};
    if (tab?.id === undefined) return undefined;
    const key = documentId ?? `${tab.id}/${frameId}/${url}`;
    const document = this.documents.get(key) ?? new CapturedDocument(key, tab.id, frameId, documentId, url);
    document.port = port;
    this.documents.delete(key);
    this.documents.set(key, document);
    const known = this.tabs.get(tab.id);
    if (!known) {
      this.tabs.set(tab.id, {
        tabId: tab.id,
        url: tab.url ?? "",
        title: tab.title ?? "",
        rate: new RateWindow(CONSOLE_RATE_LIMITS.dropAbovePerSecond),
        dropped: 0,
      });
    } else if (frameId === 0) known.url = url;
    this.dropOldest();
    return document;
  }

  disconnect(document: CapturedDocument, port: chrome.runtime.Port): void {
    if (document.port === port) document.port = undefined;
  }

  move(document: CapturedDocument, place: Place): void {
    document.place = place;
    const tab = this.tabs.get(document.tabId);
    if (!tab) return;
    if (document.frameId === 0) tab.url = place.url;
    if (document.frameId === 0 || place.title !== "") tab.title = place.title;
  }

  /** Updates a tab from Chrome's own report, for frames that cannot see their top document. */
  updateTab(
    tabId: number,
    change: { readonly title?: string | undefined; readonly url?: string | undefined },
  ): void {
    const tab = this.tabs.get(tabId);
    if (!tab) return;
    tab.title = change.title ?? tab.title;
    tab.url = change.url ?? tab.url;
  }

  source(document: CapturedDocument): ConsoleSource {
    const tab = this.tabs.get(document.tabId);
    return sourceOf({
      tabId: document.tabId,
      url: tab?.url ?? "",
      title: tab?.title ?? "",
      frameId: document.frameId,
      frameUrl: document.place.url,
      documentId: document.documentId,
    });
  }

  byKey(key: string): CapturedDocument | undefined {
    return this.documents.get(key);
  }

  live(): CapturedDocument[] {
    return [...this.documents.values()].filter(({ port }) => port !== undefined);
  }

  /** A closed document is kept for a while: its last events may still arrive, or arrive twice. */
  private dropOldest(): void {
    if (this.documents.size <= MAX_DOCUMENTS) return;
    for (const [key, { port }] of this.documents) {
      if (this.documents.size <= MAX_DOCUMENTS) break;
      if (!port) this.documents.delete(key);
    }
    const tabs = new Set([...this.documents.values()].map(({ tabId }) => tabId));
    for (const tabId of this.tabs.keys()) if (!tabs.has(tabId)) this.tabs.delete(tabId);
  }
}
