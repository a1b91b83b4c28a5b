/// <reference types="chrome" />
import type { FromPage } from "../port-messages.js";
import { type CapturedDocument, CapturedDocuments } from "./documents.js";
import { errorText, eventText } from "./envelope.js";
import { Outbox } from "./outbox.js";
import type { HubLink } from "./socket.js";

/** Events of a burst wait this long for each other. */
const BATCH_MS = 15;
/** How often at most the hub is asked whether it has read what was sent. */
const CONFIRM_MS = 100;
/** How long a flood is counted before the hub is told of it. */
const DROPPED_MS = 1_000;
const ANSWER_MS = 50;

/** Takes events from documents to the hub, and the word that they arrived back to the documents. */
export class Courier {
  readonly documents = new CapturedDocuments();
  private readonly outbox = new Outbox();
  private batchTimer: ReturnType<typeof setTimeout> | undefined;
  private confirmTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly floods = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(private readonly hub: Pick<HubLink, "isReady" | "ping" | "send">) {}

  receive(document: CapturedDocument, message: FromPage): void {
    if ("place" in message && message.place) this.documents.move(document, message.place);
    if (message.kind === "events") this.takeIn(document, message.first, message.list);
    else if (message.kind === "dropping") this.startCounting(document.tabId);
    else if (message.kind === "dropped") this.countDropped(document.tabId, message.count);
  }

  /** The hub is ready: all that waits goes now. */
  start(): void {
    this.flush();
    for (const { tabId, dropped } of this.documents.tabs.values()) if (dropped > 0) this.startCounting(tabId);
  }

  /** The connection broke. */
  stop(): void {
    clearTimeout(this.confirmTimer);
    this.confirmTimer = undefined;
    this.outbox.takeBack();
  }

  private takeIn(document: CapturedDocument, first: number, list: readonly string[]): void {
    const source = this.documents.source(document);
    const tab = this.documents.tabs.get(document.tabId);
    let together = false;
    for (const [index, text] of list.entries()) {
      const seq = first + index;
      if (seq <= document.lastSeq) continue;
      document.lastSeq = seq;
      const event = readEvent(text);
      const verdict = event && tab ? tab.rate.judge(event.at, event.urgent) : "drop";
      const dropped = !event || verdict === "drop";
      if (dropped) this.countDropped(document.tabId, 1);
      together ||= verdict === "batch";
      this.outbox.add({
        document: document.key,
        seq,
        urgent: event?.urgent ?? false,
        text: dropped ? "" : eventText(source, event.at, seq, event.payload),
        batch: verdict === "batch",
      });
    }
    const lost = this.outbox.takeLost();
    if (lost > 0) this.countDropped(document.tabId, lost);
    if (!together) this.flush();
    else this.batchTimer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private flush(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    if (!this.hub.isReady) return;
    for (const frame of this.outbox.takeFrames()) this.hub.send(frame);
    if (this.outbox.unconfirmed > 0) this.confirmTimer ??= setTimeout(() => this.askToConfirm(), CONFIRM_MS);
  }

  private askToConfirm(): void {
    this.confirmTimer = undefined;
    const count = this.outbox.unconfirmed;
    const asked = this.hub.ping(() => {
      for (const [key, seq] of this.outbox.confirm(count))
        this.documents.byKey(key)?.say({ kind: "ack", seq });
      if (this.outbox.unconfirmed > 0)
        this.confirmTimer ??= setTimeout(() => this.askToConfirm(), CONFIRM_MS);
    });
    if (!asked && this.hub.isReady) this.confirmTimer = setTimeout(() => this.askToConfirm(), CONFIRM_MS);
  }

  private countDropped(tabId: number, count: number): void {
    const tab = this.documents.tabs.get(tabId);
    if (!tab || count === 0) return;
    tab.dropped += count;
    this.startCounting(tabId);
  }

  /** Counts for a second, then asks the tab's documents what they dropped themselves, and tells the hub the sum. */
  private startCounting(tabId: number): void {
    if (this.floods.has(tabId)) return;
    const ask = (): void => {
      for (const document of this.documents.live())
        if (document.tabId === tabId) document.say({ kind: "ask-dropped" });
      this.floods.set(
        tabId,
        setTimeout(() => this.tellDropped(tabId), ANSWER_MS),
      );
    };
    this.floods.set(tabId, setTimeout(ask, DROPPED_MS));
  }

  private tellDropped(tabId: number): void {
    this.floods.delete(tabId);
    const tab = this.documents.tabs.get(tabId);
    if (!tab || tab.dropped === 0 || !this.hub.isReady) return;
    const { dropped, url, title } = tab;
    tab.dropped = 0;
    this.flush();
    const text = `${dropped} console events of this tab were dropped, because too many came in a second`;
    this.hub.send(errorText("RATE_LIMIT", text, { dropped, tabId }, { tabId, url, title }));
  }
}

interface PageEvent {
  readonly urgent: boolean;
  readonly at: number;
  readonly payload: string;
}

/** Takes apart what a page's script sent. The payload must be one JSON object, or it could break out of its message. */
function readEvent(text: string): PageEvent | undefined {
  const match = /^([01])(\d{1,16})(?=\{)/.exec(text);
  if (!match) return undefined;
  const payload = text.slice(match[0].length);
  try {
    JSON.parse(payload);
  } catch {
    return undefined;
  }
  return { urgent: match[1] === "1", at: Number(match[2]), payload };
}
