import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { SocketLink } from "../../wires/socket-link.js";
import { SocketReader } from "../../wires/socket-reader.js";
import type { Channel } from "../channels/channel.js";

/** Above this many bytes that the other hub has not read, the socket is not read either. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** Above this many bytes that the socket's peer has not read, the other hub gets no more credit. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** Connects a socket of this hub with the hub that has its session. Frames pass as they are, in both directions. */
export function pipeSocket(
  ws: WebSocket,
  socket: Duplex,
  link: SocketLink,
  channel: Channel,
  isOpen: boolean,
): void {
  const reader = new SocketReader(ws, socket, link, {
    isOpen,
    onMessage(data) {
      channel.send(data);
      if (channel.buffered > MAX_UNREAD_BYTES) ws.pause();
    },
    onClose: (code) => channel.close(code, "the peer disconnected"),
  });
  channel.onDrain = () => reader.resume();
  channel.onMessage = (data) => {
    link.send(data);
    if (link.buffered > MAX_UNSENT_BYTES) channel.pause();
  };
  socket.on("drain", () => channel.resume());
  channel.onClose = (code, reason) => link.close(sendable(code), reason);
}

/** Codes that only a socket itself can report cannot be sent in a close frame. */
function sendable(code: number): number {
  return code === 1004 || code === 1005 || code === 1006 || code === 1015 || code < 1000 ? 1000 : code;
}
