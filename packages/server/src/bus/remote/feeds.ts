import { type Feed, type FeedRequest, subscribeToFeed } from "../../http/feed.js";
import type { SendEvent } from "../../http/sse.js";
import type { Sessions } from "../../sessions/registry.js";
import type { Bus } from "../bus.js";
import type { Channel } from "../channels/channel.js";
import type { FeedHead } from "../channels/heads.js";

const CAUGHT_UP = '{"type":"caught_up"}';
const LOCAL = "";
const RETRY_MS = 500;
const MAX_FEED_UNREAD = 8 * 1024 * 1024;

/** The feed of this hub. */
interface LocalFeed {
  subscribe(send: SendEvent): () => void;
  /** Resolves when its earlier records are complete. */
  readonly ready: Promise<void> | undefined;
}

/** The feed of this hub, joined with those of the other hubs. `caught_up` is sent once, when all of them are. */
export class JoinedFeed {
  private readonly channels = new Map<string, Channel>();
  /** Hubs whose earlier records are still to come. */
  private readonly behind = new Set<string>();
  private stopLocal = (): void => {};
  private isOpen = true;

  constructor(
    private readonly bus: Bus,
    private readonly wanted: FeedRequest,
    hubs: readonly string[],
    local: LocalFeed,
    private readonly send: SendEvent,
    private readonly onStopped: () => void,
  ) {
    for (const hub of [LOCAL, ...hubs]) this.behind.add(hub);
    const follow = (): void => {
      if (this.isOpen) this.stopLocal = local.subscribe((json, id) => this.pass(LOCAL, json, id));
    };
    if (local.ready) void local.ready.then(follow);
    else follow();
    for (const hub of hubs) void this.follow(hub);
  }

  /** Follows a hub from now on, unless it does already. */
  async follow(hub: string): Promise<void> {
    if (!this.isOpen || this.channels.has(hub)) return;
    try {
      const channel = await this.bus.open(hub, JSON.stringify({ kind: "feed", ...this.wanted }));
      if (!this.isOpen || this.channels.has(hub)) {
        channel.close();
        return;
      }
      this.channels.set(hub, channel);
      channel.onMessage = (data) => this.pass(hub, data.toString());
      channel.onClose = (code) => {
        this.channels.delete(hub);
        this.catchUp(hub);
        // A reader that was too slow for its hub continues with what is new.
        if (code === 1013) setTimeout(() => void this.follow(hub), RETRY_MS).unref();
      };
    } catch {
      this.catchUp(hub);
    }
  }

  stop(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.stopLocal();
    for (const channel of this.channels.values()) channel.close(1000, "the reader left");
    this.onStopped();
  }

  private pass(hub: string, json: string, id?: number): boolean {
    if (json === CAUGHT_UP) {
      this.catchUp(hub);
      return true;
    }
    const goesOn = this.isOpen && this.send(json, id);
    if (!goesOn) queueMicrotask(() => this.stop());
    return goesOn;
  }

  private catchUp(hub: string): void {
    if (!this.behind.delete(hub) || this.behind.size > 0) return;
    if (this.wanted.types !== undefined && this.isOpen) this.send(CAUGHT_UP);
  }
}

/** Sends the feed of this hub to another one, once its earlier records are complete. */
export function serveFeed(
  { only, types, since }: FeedHead,
  channel: Channel,
  { feed, sessions }: { readonly feed: Feed; readonly sessions: Sessions },
  ready: Promise<void> | undefined,
): void {
  const send = (json: string): boolean => {
    if (channel.buffered > MAX_FEED_UNREAD) channel.close(1013, "the reader is too slow");
    if (channel.isOpen) channel.send(json);
    return channel.isOpen;
  };
  const follow = (): void => {
    if (!channel.isOpen) return;
    const stop = subscribeToFeed(feed, sessions, { only, types, since }, send);
    channel.onClose = () => stop();
  };
  if (ready) void ready.then(follow);
  else follow();
}
