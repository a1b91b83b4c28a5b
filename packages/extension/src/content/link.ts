/// <reference types="chrome" />
import { RateWindow } from "@debug-bridge/protocol";
import { type FromPage, PAGE_PORT, type Place, type ToPage, WAKE } from "../port-messages.js";
import { PendingEvents } from "./pending.js";

/**
 * A message to the worker costs about 40 µs, many times the rest of a console call. So events are sent together, when the
 * page's script is done. Sent at once are the first event after a pause, and a few warnings and errors per second,
 * because a script that hangs is never done.
 */
const PAUSE_MS = 100;
const MAX_URGENT_PER_SECOND = 20;
const RECONNECT_MS = 200;

export interface PageEnd {
  /** Asks the page's script how many events it dropped. */
  drainDropped(): number;
  stop(): void;
}

/** Sends a document's events to the worker, and keeps them until the worker confirms that they have arrived. */
export class WorkerLink {
  private readonly pending = new PendingEvents();
  private port: chrome.runtime.Port | undefined;
  private sentUpTo = 0;
  private isFlushScheduled = false;
  private readonly urgentRate = new RateWindow(MAX_URGENT_PER_SECOND);
  private lastEventAt = 0;
  private sentPlace: Place | undefined;
  private stopped = false;

  constructor(private readonly page: PageEnd) {
    chrome.runtime.onMessage.addListener((message: unknown) => {
      if (message === WAKE && !this.port) this.connect();
    });
    // A page in the back/forward cache has no ports. When it is shown again, it needs one.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted && !this.port) this.connect();
    });
    this.connect();
  }

  add(text: string): void {
    if (this.stopped) return;
    this.pending.add(text);
    if (!this.port) this.connect();
    else if (this.isSentAtOnce(text.startsWith("1"))) this.flush();
    else if (!this.isFlushScheduled) {
      this.isFlushScheduled = true;
      queueMicrotask(() => {
        this.isFlushScheduled = false;
        this.flush();
      });
    }
  }

  reportDropping(): void {
    this.post({ kind: "dropping" });
  }

  private isSentAtOnce(urgent: boolean): boolean {
    const now = performance.now();
    const paused = now - this.lastEventAt > PAUSE_MS;
    this.lastEventAt = now;
    return paused || (urgent && this.urgentRate.admit(now, true) >= 0);
  }

  private connect(): void {
    if (this.stopped) return;
    let port: chrome.runtime.Port;
    try {
      port = chrome.runtime.connect({ name: PAGE_PORT });
    } catch {
      // The extension was removed or reloaded, so nobody listens to this script.
      this.stop();
      return;
    }
    this.port = port;
    this.sentUpTo = 0;
    this.sentPlace = undefined;
    port.onMessage.addListener((message: ToPage) => this.receive(message));
    port.onDisconnect.addListener(() => {
      // Reading it keeps Chrome from reporting the error.
      void chrome.runtime.lastError;
      if (this.port !== port) return;
      this.port = undefined;
      // Chrome stopped the worker before it confirmed these events, so the next worker gets them again. Without pending
      // events, the next event or the worker itself opens a port.
      if (!this.pending.isEmpty) setTimeout(() => this.port ?? this.connect(), RECONNECT_MS);
    });
    this.flush();
  }

  private flush(): void {
    let place = this.newPlace();
    for (const { first, list } of this.pending.runs(this.sentUpTo)) {
      this.post({ kind: "events", first, list, ...(place ? { place } : {}) });
      place = undefined;
      this.sentUpTo = first + list.length - 1;
    }
    if (place) this.post({ kind: "place", place });
    const dropped = this.pending.drainDropped();
    if (dropped > 0) this.post({ kind: "dropped", count: dropped });
  }

  private newPlace(): Place | undefined {
    const url = location.href;
    const title = titleOfTab();
    if (this.sentPlace?.url === url && this.sentPlace.title === title) return undefined;
    this.sentPlace = { url, title };
    return this.sentPlace;
  }

  private receive(message: ToPage): void {
    if (message.kind === "ack") this.pending.confirm(message.seq);
    else if (message.kind === "ask-dropped") this.post({ kind: "dropped", count: this.page.drainDropped() });
    else this.stop();
  }

  private post(message: FromPage): void {
    try {
      this.port?.postMessage(message);
    } catch {
      // The port closed at this moment. Unconfirmed events are sent over the next one.
    }
  }

  private stop(): void {
    this.stopped = true;
    this.page.stop();
    this.port?.disconnect();
    this.port = undefined;
  }
}

/** The title of the tab, if this frame can see it. */
function titleOfTab(): string {
  try {
    return window.top?.document.title ?? "";
  } catch {
    return "";
  }
}
