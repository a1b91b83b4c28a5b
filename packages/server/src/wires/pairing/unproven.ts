import type { Duplex } from "node:stream";
import { BridgeError, PAIRING_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { decode } from "@debug-bridge/protocol/schemas";
import type { WebSocket } from "ws";
import type { z } from "zod";

/** More than a whole exchange needs, frames included. */
const MAX_UNPROVEN_BYTES = 4_096;
const CLOSE_TIMEOUT_MS = 1_000;
const MAX_UNPROVEN = 64;
const NOT_PAIRED =
  "this connection did not prove that it knows the pairing key of the hub's home; load the folder that debug-bridge extension prints, or pair this copy of the extension with debug-bridge extension --pair";

/** Connections that have proved nothing yet. They are few, read little, and last for a short time. */
const unproven = new Set<WebSocket>();

/**
 * Ends a connection that sends too much or takes too long before it has proved itself. Returns how to lift these bounds.
 * When there are too many, the oldest is ended, so that they cannot keep others out.
 */
export function boundUnproven(ws: WebSocket, socket: Duplex, timeoutMs: number): () => void {
  unproven.add(ws);
  const [oldest] = unproven;
  if (unproven.size > MAX_UNPROVEN) oldest?.terminate();
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_UNPROVEN_BYTES) ws.terminate();
  };
  const timer = setTimeout(() => ws.terminate(), timeoutMs);
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

/** Closes a connection with a reason, and does not wait long for the other end to close it too. */
export function refuse(ws: WebSocket, error: BridgeError): void {
  ws.close(1008, error.message.slice(0, 120));
  setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS).unref();
}

/** The next message; rejects when the connection ends first. */
export function nextMessage(ws: WebSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(notPaired());
    ws.once("close", onClose);
    ws.once("message", (data) => {
      ws.off("close", onClose);
      resolve(String(data));
    });
  });
}

export function readMessage<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const decoded = decode(schema, text, PAIRING_MESSAGE_LIMITS);
  if (!decoded.ok) throw notPaired();
  return decoded.value;
}

export function notPaired(): BridgeError {
  return new BridgeError("auth_required", NOT_PAIRED);
}
