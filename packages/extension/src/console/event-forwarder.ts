/// <reference types="chrome" />
import type { FromPage } from "../port-messages.js";
import type { ConsoleWire } from "./console-wire.js";
import { type CapturedDocument, CapturedDocuments } from "./documents.js";
import { DropReporter } from "./drop-reporter.js";
import { eventText } from "./envelope.js";
import { Outbox } from "./outbox.js";
import { judgeRate } from "./rate-verdict.js";

/** How long events of a burst wait for each other. */
const BATCH_MS = 15;
/** How often at most the hub is asked to confirm what was sent. */
const CONFIRM_MS = 100;

/** Forwards events from documents to the hub, and the hub's confirmations to the documents. */
export class EventForwarder {
  readonly documents = new CapturedDocuments();
  private readonly outbox = new Outbox();
  private readonly drops: DropReporter;
  private batchTimer: ReturnType<typeof setTimeout> | undefined;
  private confirmTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly hub: Pick<ConsoleWire, "isReady" | "ping" | "send">) {
    this.drops = new DropReporter(this.documents, (text) => {
      this.flush();
      this.hub.send(text);
    });
  }

  receive(document: CapturedDocument, message: FromPage): void {
    if ("place" in message && message.place) this.documents.move(document, message.place);
    if (message.kind === "events") this.enqueue(document, message.first, message.list);
    else if (message.kind === "dropping") this.drops.schedule(document.tabId);
    else if (message.kind === "dropped") this.drops.count(document.tabId, message.count);
  }

  /** The hub is ready: sends everything that waits. */
  start(): void {
    this.drops.isConnected = true;
    this.flush();
    this.drops.scheduleAll();
  }

  /** The connection broke. */
  stop(): void {
    this.drops.isConnected = false;
    clearTimeout(this.confirmTimer);
    this.confirmTimer = undefined;
    this.outbox.resend();
  }

  private enqueue(document: CapturedDocument, first: number, list: readonly string[]): void {
    const source = this.documents.source(document);
    const tab = this.documents.tabs.get(document.tabId);
    let hasBatch = false;
    for (const [index, text] of list.entries()) {
      const seq = first + index;
      if (seq <= document.lastSeq) continue;
      document.lastSeq = seq;
      const event = readEvent(text);
      const verdict = event && tab ? judgeRate(tab.rate, event.at, event.urgent) : "drop";
      const isDropped = !event || verdict === "drop";
      if (isDropped) this.drops.count(document.tabId, 1);
      hasBatch ||= verdict === "batch";
      this.outbox.add({
        document: document.key,
        seq,
        urgent: event?.urgent ?? false,
        text: isDropped ? "" : eventText(source, event.at, seq, event.payload),
        batch: verdict === "batch",
      });
    }
    this.drops.count(document.tabId, this.outbox.drainDropped());
    if (!hasBatch) this.flush();
    else this.batchTimer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private flush(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    if (!this.hub.isReady) return;
    for (const frame of this.outbox.drainFrames()) this.hub.send(frame);
    this.scheduleConfirmation();
  }

  private scheduleConfirmation(): void {
    if (this.outbox.unconfirmed === undefined) return;
    this.confirmTimer ??= setTimeout(() => {
      this.confirmTimer = undefined;
      this.requestConfirmation();
    }, CONFIRM_MS);
  }

  private requestConfirmation(): void {
    const upTo = this.outbox.unconfirmed;
    if (upTo === undefined || !this.hub.isReady) return;
    const pong = this.hub.ping();
    if (!pong) {
      this.scheduleConfirmation();
      return;
    }
    pong.then(
      () => {
        for (const [key, seq] of this.outbox.confirm(upTo))
          this.documents.byKey(key)?.post({ kind: "ack", seq });
        this.scheduleConfirmation();
      },
      // The connection ended; `stop` has put everything back.
      () => {},
    );
  }
}

interface PageEvent {
  readonly urgent: boolean;
  readonly at: number;
  readonly payload: string;
}

/** Parses what a page's script sent. The payload must be one JSON object, or it could break out of its message. */
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
