import type { Duplex } from "node:stream";
import {
  checkProof,
  createPairingHex,
  createProof,
  type Handshake,
  importPairingKey,
  PAIRING_MESSAGE_LIMITS,
  type PairedWire,
} from "@debug-bridge/protocol";
import { decode, pairHelloSchema, pairProofSchema } from "@debug-bridge/protocol/schemas";
import type { WebSocket } from "ws";
import { boundUnproven, nextMessage, notPaired, readMessage } from "./unproven.js";

export interface ProofOptions {
  readonly wire: PairedWire;
  /** Host and port that this hub listens on. */
  readonly address: string;
  /** The pairing key of the home, which may be replaced while the hub runs. */
  readonly key: () => string;
}

const PROOF_TIMEOUT_MS = 5_000;

/**
 * Lets a peer and this hub prove to each other that they know the pairing key. Resolves when both did; nothing else was
 * read or sent until then. Rejects otherwise: the caller then refuses the connection. `first` is the first
 * message if it was already read.
 */
export async function proveEachOther(
  ws: WebSocket,
  socket: Duplex,
  options: ProofOptions,
  first?: string,
): Promise<void> {
  const release = boundUnproven(ws, socket, PROOF_TIMEOUT_MS);
  // The listener is there before anything is awaited, so that no message is missed.
  const [text, key] = await Promise.all([first ?? nextMessage(ws), importPairingKey(options.key())]);
  const hello = readMessage(pairHelloSchema, text);
  const handshake: Handshake = {
    wire: options.wire,
    address: options.address,
    extensionNonce: hello.params.nonce,
    hubNonce: createPairingHex(),
  };
  const proof = await createProof(key, "hub", handshake);
  const answer = nextMessage(ws);
  ws.send(JSON.stringify({ method: "pairChallenge", params: { nonce: handshake.hubNonce, proof } }));
  const { params } = readMessage(pairProofSchema, await answer);
  const isProven = await checkProof(key, "extension", handshake, params.proof);
  if (!isProven || ws.readyState !== ws.OPEN) throw notPaired();
  release();
  ws.send('{"method":"paired"}');
}

/** Whether a message starts a handshake. */
export function isPairHello(text: string): boolean {
  return decode(pairHelloSchema, text, PAIRING_MESSAGE_LIMITS).ok;
}
