import type { Duplex } from "node:stream";
import {
  BridgeError,
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
import type { z } from "zod";

export interface ProofOptions {
  readonly wire: PairedWire;
  /** Host and port that this hub listens on. */
  readonly address: string;
  /** The pairing key of the home, which may be replaced while the hub runs. */
  readonly key: () => string;
}

/** More than a whole handshake needs, frames included. */
const MAX_UNPROVEN_BYTES = 4_096;
const PROOF_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;
const MAX_UNPROVEN = 64;
const NOT_PAIRED =
  "this connection did not prove that it knows the pairing key of the hub's home; load the folder that debug-bridge extension prints, or pair this copy of the extension with debug-bridge extension --pair";

/** Connections that have proved nothing yet. They are few, read little, and last for a short time. */
const unproven = new Set<WebSocket>();

/**
 * Lets a peer and this hub prove to each other that they know the pairing key. Resolves when both did; nothing else was
 * read or sent until then. Rejects otherwise: whoever called it then refuses the connection. `first` is the first
 * message if it was already read.
 */
export async function proveEachOther(
  ws: WebSocket,
  socket: Duplex,
  options: ProofOptions,
  first?: string,
): Promise<void> {
  const release = boundUnproven(ws, socket);
  // The listener is there before anything is awaited, so that no message is missed.
  const [text, key] = await Promise.all([first ?? nextMessage(ws), importPairingKey(options.key())]);
  const hello = read(pairHelloSchema, text);
  const handshake: Handshake = {
    wire: options.wire,
    address: options.address,
    extensionNonce: hello.params.nonce,
    hubNonce: createPairingHex(),
  };
  const proof = await createProof(key, "hub", handshake);
  const answer = nextMessage(ws);
  ws.send(JSON.stringify({ method: "pairChallenge", params: { nonce: handshake.hubNonce, proof } }));
  const { params } = read(pairProofSchema, await answer);
  const isProven = await checkProof(key, "extension", handshake, params.proof);
  if (!isProven || ws.readyState !== ws.OPEN) throw notPaired();
  release();
  ws.send('{"method":"paired"}');
}

/** Whether a message starts a handshake. */
export function isPairHello(text: string): boolean {
  return decode(pairHelloSchema, text, PAIRING_MESSAGE_LIMITS).ok;
}

/** Closes a connection with a reason, and does not wait long for the other end to close it too. */
export function refuse(ws: WebSocket, error: BridgeError): void {
  ws.close(1008, error.message.slice(0, 120));
  setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS).unref();
}

function notPaired(): BridgeError {
  return new BridgeError("auth_required", NOT_PAIRED);
}

/** Ends a connection that sends too much or takes too long before it has proved itself. */
function boundUnproven(ws: WebSocket, socket: Duplex): () => void {
  unproven.add(ws);
  const [oldest] = unproven;
  if (unproven.size > MAX_UNPROVEN) oldest?.terminate();
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_UNPROVEN_BYTES) ws.terminate();
  };
  const timer = setTimeout(() => ws.terminate(), PROOF_TIMEOUT_MS);
  timer.unref();
  socket.on("data", count);
  ws.on("error", () => {});
  const release = (): void => {
    clearTimeout(timer);
    socket.off("data", count);
    unproven.delete(ws);
  };
  ws.once("close", release);
  return release;
}

/** The next message; rejects when the connection ends first. */
function nextMessage(ws: WebSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(notPaired());
    ws.once("close", onClose);
    ws.once("message", (data) => {
      ws.off("close", onClose);
      resolve(String(data));
    });
  });
}

function read<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const decoded = decode(schema, text, PAIRING_MESSAGE_LIMITS);
  if (!decoded.ok) throw notPaired();
  return decoded.value;
}
