import type { FeedRequest } from "../http/feed.js";
import type { SendEvent } from "../http/sse.js";
import type { Bus } from "./bus.js";
import type { Channel } from "./channel.js";

const CAUGHT_UP = '{"type":"caught_up"}';
const LOCAL = "";
const RETRY_MS = 500;

/** The feed of this hub, joined with those of the other hubs. `caught_up` is sent once, when all of them are. */
export class JoinedFeed {
  private readonly channels = new Map<string, Channel>();
  /** Hubs whose earlier records are still to come. */
  private readonly behind = new Set<string>();
  private readonly stopLocal: () => void;
  private isOpen = true;

  constructor(
    private readonly bus: Bus,
    private readonly wanted: FeedRequest,
    hubs: readonly string[],
    subscribe: (send: SendEvent) => () => void,
    private readonly send: SendEvent,
    private readonly onStopped: () => void,
  ) {
    for (const hub of [LOCAL, ...hubs]) this.behind.add(hub);
    this.stopLocal = subscribe((json, id) => this.pass(LOCAL, json, id));
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
        // A reader that was too slow for its hub goes on with what is new.
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
