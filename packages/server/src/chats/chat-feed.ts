import type { ChatFeedEvent } from "@debug-bridge/protocol";
import type { ChatStore } from "./store/chat-store.js";

/** How often chats are looked at that another hub of the home, or the command line, may have changed. */
const POLL_INTERVAL_MS = 2_000;

interface Known {
  /** What of its files shows that it may have changed. */
  readonly mark: string;
  /** Its entry in the list, as it was sent. */
  readonly json: string;
}

type Send = (json: string) => boolean;

/** Notifies windows of the entries of the list of chats that changed. While nobody listens, it does nothing. */
export class ChatFeed {
  private readonly listeners = new Set<Send>();
  private readonly known = new Map<string, Known>();
  private looking: NodeJS.Timeout | undefined;

  constructor(private readonly store: ChatStore) {}

  /** Sends every change from now on; returns how to stop. */
  subscribe(send: Send): () => void {
    if (this.listeners.size === 0) this.start();
    this.listeners.add(send);
    return () => this.remove(send);
  }

  /** A chat may have changed. */
  refresh(id: string): void {
    if (this.listeners.size === 0) return;
    const chat = this.store.entry(id);
    const before = this.known.get(id);
    if (!chat) {
      this.known.delete(id);
      if (before) this.send({ event: "chat.deleted", payload: { id } });
      return;
    }
    const json = JSON.stringify(chat);
    this.known.set(id, { mark: this.store.mark(id), json });
    if (before?.json !== json) this.send({ event: "chat.changed", payload: chat });
  }

  private start(): void {
    for (const chat of this.store.list())
      this.known.set(chat.id, { mark: this.store.mark(chat.id), json: JSON.stringify(chat) });
    this.looking = setInterval(() => this.look(), POLL_INTERVAL_MS);
    this.looking.unref();
  }

  private look(): void {
    const ids = this.store.ids();
    for (const id of new Set([...ids, ...this.known.keys()])) {
      const { mark, json } = this.known.get(id) ?? {};
      // The hub of a run can end without a change of any file.
      if (mark !== this.store.mark(id) || json?.includes('"runId"')) this.refresh(id);
    }
  }

  private send(event: ChatFeedEvent): void {
    const json = JSON.stringify(event);
    for (const send of this.listeners) if (!send(json)) this.remove(send);
  }

  private remove(send: Send): void {
    this.listeners.delete(send);
    if (this.listeners.size > 0) return;
    clearInterval(this.looking);
    this.known.clear();
  }
}
