import { BridgeError } from "@debug-bridge/protocol";
import { z } from "zod";
import type { Bus } from "../bus.js";
import type { Channel } from "../channels/channel.js";
import type { RelayHead } from "../channels/heads.js";
import type { Members } from "../members/members.js";

const ASK_TIMEOUT_MS = 2_000;
const QUESTION = JSON.stringify({ kind: "relay" });
const answerSchema = z.object({ connected: z.boolean() });

/** The relay of this hub, as other hubs use it. */
export interface SharedRelay {
  /** Whether a browser is connected to it. */
  readonly isConnected: boolean;
  /** Whether one was: it is most likely about to come back. */
  readonly wasConnected: boolean;
  serveChannel(channel: Channel, name: string, runId: string | undefined): void;
}

/** A CDP client that connected to this hub. */
export interface RelayClient {
  readonly name: string;
  readonly runId: string | undefined;
  /** The hub that it names, whose tabs it wants. */
  readonly hub: string | undefined;
}

/** The relays of other hubs: a CDP client uses the tabs of one hub, this one's or another's. */
export class RemoteRelays {
  relay: SharedRelay | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly members: Members,
    private readonly nameOf: (name: string) => string,
  ) {}

  /** Opens a channel to the relay that has a browser; `undefined` when this hub's own has to serve the client. */
  async open({ name, runId, hub: wanted }: RelayClient): Promise<Channel | undefined> {
    const hasOwn = this.relay?.isConnected || this.relay?.wasConnected;
    if (wanted === this.bus.hub || (wanted === undefined && hasOwn)) return undefined;
    const hub = wanted ?? (await this.connected())[0];
    if (hub === undefined) return undefined;
    if (!this.members.others().includes(hub))
      throw new BridgeError(
        "target_not_found",
        `no hub of this bus is called ${JSON.stringify(hub.slice(0, 100))}; there are: ${[this.bus.hub, ...this.members.others()].sort().join(", ")}`,
        { field: "hub" },
      );
    const head: RelayHead = { kind: "relay", name: this.nameOf(name), ...(runId ? { runId } : {}) };
    return this.bus.open(hub, JSON.stringify(head));
  }

  /** Answers another hub; `undefined` when it asks about something else. */
  answer(body: string): string | undefined {
    return body === QUESTION ? JSON.stringify({ connected: this.relay?.isConnected ?? false }) : undefined;
  }

  accept({ name, runId }: RelayHead, channel: Channel): void {
    if (!this.relay) throw new BridgeError("app_not_connected", "this hub is still starting");
    this.relay.serveChannel(channel, name, runId);
  }

  /** The other hubs that have a browser, in the order of their names. */
  private async connected(): Promise<string[]> {
    const others = this.members.others().sort();
    const answers = await Promise.all(
      others.map((hub) =>
        this.bus.request(hub, QUESTION, ASK_TIMEOUT_MS).then(
          (text) => answerSchema.safeParse(JSON.parse(text)).data?.connected === true,
          () => false,
        ),
      ),
    );
    return others.filter((_, i) => answers[i]);
  }
}
