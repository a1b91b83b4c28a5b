/// <reference types="chrome" />
import { type FromPage, PAGE_PORT, type Place, type ToPage, WAKE } from "../port-messages.js";
import { PendingEvents } from "./pending.js";

/**
 * A message to the worker costs some 40 µs, many times what the rest of a call does. So events go when the page's script
 * rests, together. At once go the first after a pause, and warnings and errors while they are few, for a script that
 * hangs does not rest any more.
 */
const PAUSE_MS = 100;
const URGENT_PER_SECOND = 20;
const RECONNECT_MS = 200;

export interface PageEnd {
  /** Asks the page's script how many events it dropped. */
  takeDropped(): number;
  stop(): void;
}

/** Carries a document's events to the worker, and keeps them until the worker says that they have arrived. */
export class WorkerLink {
  private readonly pending = new PendingEvents();
  private port: chrome.runtime.Port | undefined;
  private sentUpTo = -1;
  private flushing = false;
  private secondBegan = 0;
  private urgentAtOnce = 0;
  private lastEventAt = 0;
  private told: Place | undefined;
  private stopped = false;

  constructor(private readonly page: PageEnd) {
    chrome.runtime.onMessage.addListener((message: unknown) => {
      if (message === WAKE && !this.port) this.connect();
    });
    // A page in the back/forward cache has no ports; when it comes back, it needs one.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted && !this.port) this.connect();
    });
    this.connect();
  }

  add(text: string): void {
    if (this.stopped) return;
    this.pending.add(text);
    if (!this.port) this.connect();
    else if (this.goesAtOnce(text.startsWith("1"))) this.flush();
    else if (!this.flushing) {
      this.flushing = true;
      queueMicrotask(() => {
        this.flushing = false;
        this.flush();
      });
    }
  }

  sayDropping(): void {
    this.post({ kind: "dropping" });
  }

  private goesAtOnce(urgent: boolean): boolean {
    const now = performance.now();
    const paused = now - this.lastEventAt > PAUSE_MS;
    this.lastEventAt = now;
    if (now - this.secondBegan > 1_000) {
      this.secondBegan = now;
      this.urgentAtOnce = 0;
    }
    return paused || (urgent && this.urgentAtOnce++ < URGENT_PER_SECOND);
  }

  private connect(): void {
    if (this.stopped) return;
    let port: chrome.runtime.Port;
    try {
      port = chrome.runtime.connect({ name: PAGE_PORT });
    } catch {
      // The extension was removed or reloaded: this script belongs to nobody any more.
      this.stop();
      return;
    }
    this.port = port;
    this.sentUpTo = -1;
    this.told = undefined;
    port.onMessage.addListener((message: ToPage) => this.receive(message));
    port.onDisconnect.addListener(() => {
      // Reading it tells Chrome that the error was seen.
      void chrome.runtime.lastError;
      if (this.port !== port) return;
      this.port = undefined;
      // The worker died with events of ours in its hands: a new one gets them again. Without any, the next event or
      // the worker itself will ask for a port.
      if (!this.pending.isEmpty) setTimeout(() => this.port ?? this.connect(), RECONNECT_MS);
    });
    this.flush();
  }

  private flush(): void {
    const place = this.newPlace();
    let told = place === undefined;
    for (const { first, list } of this.pending.runs(this.sentUpTo + 1)) {
      this.post({ kind: "events", first, list, ...(told || !place ? {} : { place }) });
      told = true;
      this.sentUpTo = first + list.length - 1;
    }
    if (!told && place) this.post({ kind: "place", place });
    const lost = this.pending.takeLost();
    if (lost > 0) this.post({ kind: "dropped", count: lost });
  }

  private newPlace(): Place | undefined {
    const url = location.href;
    const title = titleOfTab();
    if (this.told?.url === url && this.told.title === title) return undefined;
    this.told = { url, title };
    return this.told;
  }

  private receive(message: ToPage): void {
    if (message.kind === "ack") this.pending.confirm(message.seq);
    else if (message.kind === "ask-dropped") this.post({ kind: "dropped", count: this.page.takeDropped() });
    else this.stop();
  }

  private post(message: FromPage): void {
    try {
      this.port?.postMessage(message);
    } catch {
      // A port that closed in this very moment; what was not confirmed goes over the next one.
    }
  }

  private stop(): void {
    this.stopped = true;
    this.page.stop();
    this.port?.disconnect();
    this.port = undefined;
  }
}

/** The title that the tab shows, as far as a frame can see it. */
function titleOfTab(): string {
  try {
    return window.top?.document.title ?? "";
  } catch {
    return "";
  }
}
