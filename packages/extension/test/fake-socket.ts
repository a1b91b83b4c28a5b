import { createPairingHex, createProof, importPairingKey } from "@debug-bridge/protocol";
import type { SocketLike, WireName } from "../src/connection/wire.js";

/** The key that both ends of these tests know. */
const KEY = await importPairingKey("5a".repeat(32));
export const PAIRING = { key: KEY, reload: async (): Promise<void> => {} };

interface Sent {
  readonly type?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
}

/** A socket for unit tests: records what is sent, and plays the other end. */
export class FakeSocket implements SocketLike {
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  /** What was sent, without the handshake. */
  readonly sent: Sent[] = [];
  readonly handshake: Sent[] = [];
  isClosed = false;

  constructor(readonly url: string) {}

  send(text: string): void {
    const message = JSON.parse(text) as Sent;
    (message.method?.startsWith("pair") ? this.handshake : this.sent).push(message);
  }

  close(): void {
    this.isClosed = true;
  }

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Opens, and proves itself as the hub does; `key` may be another than the extension's. */
  async open(key = KEY): Promise<void> {
    this.onopen?.();
    const { port, host } = new URL(this.url);
    const wire: WireName = port === "19222" ? "relay" : "console";
    const extensionNonce = String(this.handshake[0]?.params?.nonce);
    const hubNonce = createPairingHex();
    const proof = await createProof(key, "hub", { wire, address: host, extensionNonce, hubNonce });
    this.receive({ method: "pairChallenge", params: { nonce: hubNonce, proof } });
    // Cryptography takes real time, also while the timers of a test stand still.
    for (let i = 0; i < 50 && this.handshake.length < 2 && !this.isClosed; i++)
      await crypto.subtle.digest("SHA-256", new Uint8Array(1));
    this.receive({ method: "paired" });
  }

  /** The other end is gone, without a reason. */
  break(): void {
    this.onclose?.({ code: 1006, reason: "" });
  }
}
