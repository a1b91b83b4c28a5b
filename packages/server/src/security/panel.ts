import {
  BridgeError,
  checkProof,
  createPairingHex,
  createProof,
  type Handshake,
  importPanelKey,
  panelTicket,
} from "@debug-bridge/protocol";
import { steadyNow } from "../bounds/steady-clock.js";
import { sameToken } from "./token.js";

/** Handshakes that are not finished, and pages that are admitted, at most; the oldest gives way. */
const MAX_PENDING = 64;
const MAX_TICKETS = 64;
const PROOF_TIMEOUT_MS = 10_000;
const TICKET_MS = 12 * 60 * 60_000;

interface Pending {
  readonly handshake: Handshake;
  readonly until: number;
}

/**
 * Lets pages of the extension use the chats. Each end proves that it knows the key derived from the pairing key, the hub
 * first. Tickets are in memory only: another hub, or a new pairing key, needs a new proof.
 */
export class PanelKeys {
  private readonly pending = new Map<string, Pending>();
  /** Tickets, and when they end. */
  private readonly tickets = new Map<string, number>();

  constructor(
    private readonly pairingKey: () => string,
    /** Host and port that this hub listens on, and that the page connects to. */
    private readonly address: string,
    private readonly now: () => number = steadyNow,
  ) {}

  async hello(extensionNonce: string): Promise<{ nonce: string; proof: string }> {
    const handshake: Handshake = {
      ...{ wire: "panel", address: this.address, extensionNonce, hubNonce: createPairingHex() },
    };
    const proof = await createProof(await this.key(), "hub", handshake);
    bounded(this.pending, MAX_PENDING).set(handshake.hubNonce, {
      handshake,
      until: this.now() + PROOF_TIMEOUT_MS,
    });
    return { nonce: handshake.hubNonce, proof };
  }

  /** Admits a page. Every hello can be answered once. */
  async prove(hubNonce: string, proof: string): Promise<{ expiresInMs: number }> {
    const pending = this.pending.get(hubNonce);
    this.pending.delete(hubNonce);
    const key = await this.key();
    const isRight = pending && pending.until > this.now();
    if (!isRight || !(await checkProof(key, "extension", pending.handshake, proof))) throw refusal();
    bounded(this.tickets, MAX_TICKETS).set(await panelTicket(key, pending.handshake), this.now() + TICKET_MS);
    return { expiresInMs: TICKET_MS };
  }

  /** Throws when a ticket is not valid now. */
  check(ticket: string): void {
    for (const [known, until] of this.tickets) if (sameToken(ticket, known) && until > this.now()) return;
    throw refusal();
  }

  /** The pairing key was replaced: what was proved with the old one is void. */
  clear(): void {
    this.pending.clear();
    this.tickets.clear();
  }

  private key(): ReturnType<typeof importPanelKey> {
    return importPanelKey(this.pairingKey());
  }
}

function bounded<Value>(map: Map<string, Value>, max: number): Map<string, Value> {
  const [oldest] = map.keys();
  if (map.size >= max && oldest !== undefined) map.delete(oldest);
  return map;
}

function refusal(): BridgeError {
  return new BridgeError(
    "auth_required",
    "this page did not prove that it belongs to the paired extension; prove it again with POST /panel/hello and /panel/prove",
  );
}
