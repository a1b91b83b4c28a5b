import { BridgeError } from "@debug-bridge/protocol";
import type { Client } from "../clients/client.js";
import type { RelayCore, RelayPorts } from "../relay-core.js";
import { type CdpFailure, failure } from "../wire/messages.js";

/** Why agents lost a tab that still exists. */
export type LossReason = "stopped" | "left_site";

/** What agents receive about a tab that they lost. */
export const LOSS_TEXT: Readonly<Record<LossReason, string>> = {
  stopped: "the person stopped sharing this tab in the extension's popup; ask them to share it again",
  left_site:
    "the tab left the site that the person locked it to in the extension's popup; it comes back when it is on that site again",
};

const REFUSED =
  "the person was asked in the extension's popup and shares no tab; ask them to share one there, then connect again";
/** How long a client over HTTP counts as waiting after it asked. */
const ASKED_FOR_MS = 30_000;
/** Methods that need a tab which the person has not shared. */
const NEEDS_TAB = new Set(["Target.createTarget", "Target.attachToTarget"]);

/**
 * Clients that wait because the person shares no tab. The person is asked through the extension, and the answer reaches
 * the clients: tabs as soon as they are shared, or an error.
 */
export class SharingRequests {
  private readonly refused = new WeakSet<Client>();
  /** Sessions of clients that were lost with their tab. */
  private readonly lost = new WeakMap<Client, Map<string, LossReason>>();
  /** Clients that are not on the relay, with the time when they asked. */
  private readonly asked = new Map<string, number>();
  private sent = "";

  constructor(
    private readonly relay: RelayCore,
    private readonly ports: Pick<RelayPorts, "dashboard" | "onWaiting">,
  ) {}

  /** A client without a CDP connection wants a tab. Returns what to answer when none is shared. */
  ask(client: string): BridgeError | undefined {
    if (!this.relay.extension.connected || this.relay.tabs.size > 0) return undefined;
    this.asked.set(client, this.relay.now());
    this.update();
    return new BridgeError(
      "app_not_connected",
      "no tab is shared; the person was asked in the extension's popup. Try again when they have answered",
    );
  }

  waiting(): string[] {
    if (!this.relay.extension.connected || this.relay.tabs.size > 0) return [];
    const clients = [...this.relay.clients].filter((each) => !each.isInside && !this.refused.has(each));
    return [...new Set([...clients.map(({ name }) => name), ...this.asked.keys()])];
  }

  /** Notifies the extension of the clients that wait, when they have changed. Called a few times a second. */
  update(): void {
    const limit = this.relay.now() - ASKED_FOR_MS;
    for (const [name, at] of this.asked) if (at < limit) this.asked.delete(name);
    if (!this.relay.extension.connected) {
      if (this.sent !== "") this.ports.onWaiting?.([]);
      this.sent = "";
      return;
    }
    const dashboard = this.ports.dashboard?.();
    const clients = this.waiting();
    const message = { clients, ...(dashboard === undefined ? {} : { dashboard }) };
    const text = JSON.stringify(message);
    if (text === this.sent) return;
    this.sent = text;
    this.relay.extension.notify("clientsWaiting", message);
    this.ports.onWaiting?.(clients);
  }

  /** The person shares nothing with these clients. */
  onRefused(names: readonly string[]): void {
    for (const client of this.relay.clients)
      if (!client.isInside && names.includes(client.name)) this.refused.add(client);
    for (const name of names) this.asked.delete(name);
    this.update();
  }

  /** A tab is shared again: who was refused may use it. The extension forgets who waits, and must be notified of who waits next. */
  onTabShared(): void {
    for (const client of this.relay.clients) this.refused.delete(client);
    this.update();
  }

  /** Why a command of a client fails before it is looked at. */
  refusal(client: Client, method: string): CdpFailure | undefined {
    if (!this.refused.has(client) || !NEEDS_TAB.has(method)) return undefined;
    return failure("app_not_connected", REFUSED);
  }

  onLost(client: Client, sessionId: string, reason: LossReason): void {
    const known = this.lost.get(client) ?? new Map<string, LossReason>();
    this.lost.set(client, known.set(sessionId, reason));
  }

  /** What a client receives that uses a session which it lost with its tab. */
  lossText(client: Client, sessionId: string): string | undefined {
    const reason = this.lost.get(client)?.get(sessionId);
    return reason && LOSS_TEXT[reason];
  }
}
