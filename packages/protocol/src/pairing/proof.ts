import { fromHex, randomHex, toHex, utf8 } from "./bytes.js";

/** The wires on which extension and hub prove themselves to each other. */
export type PairedWire = "console" | "relay" | "panel";
export type PairedRole = "hub" | "extension";

/** What both sides of a connection have to agree on. */
export interface Handshake {
  readonly wire: PairedWire;
  /**
   * Host and port that the extension connects to, and that the hub listens on. A program on another port that passes
   * the messages on to the real hub therefore fails.
   */
  readonly address: string;
  readonly extensionNonce: string;
  readonly hubNonce: string;
}

const KEY = /^[0-9a-f]{64}$/;
const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** Whether a value has the form of a pairing key, of a nonce or of a proof: 32 bytes in lowercase hex. */
export function isPairingHex(value: unknown): value is string {
  return typeof value === "string" && KEY.test(value);
}

/** A new pairing key or nonce. */
export function createPairingHex(): string {
  return randomHex(32);
}

export function importPairingKey(hex: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", fromHex(hex), HMAC, false, ["sign", "verify"]);
}

/** Shows that the sender knows the pairing key, for this connection and in this role only. */
export async function createProof(key: CryptoKey, role: PairedRole, handshake: Handshake): Promise<string> {
  return toHex(await crypto.subtle.sign(HMAC.name, key, transcript(role, handshake)));
}

/** Checks a proof in constant time. */
export async function checkProof(
  key: CryptoKey,
  role: PairedRole,
  handshake: Handshake,
  proof: unknown,
): Promise<boolean> {
  if (!isPairingHex(proof)) return false;
  return crypto.subtle.verify(HMAC.name, key, fromHex(proof), transcript(role, handshake));
}

/** No field contains a line break, so no two handshakes have the same text. */
function transcript(role: PairedRole, handshake: Handshake): Uint8Array<ArrayBuffer> {
  const { wire, address, extensionNonce, hubNonce } = handshake;
  return utf8(["debug-bridge pairing 1", role, wire, address, extensionNonce, hubNonce].join("\n"));
}
