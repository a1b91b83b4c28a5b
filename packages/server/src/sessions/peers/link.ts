import type { Transport } from "@debug-bridge/protocol";

/** The sending half of a connection, as a session sees it: a WebSocket, or the end of a pair in memory. */
export interface Link {
  /** Sends text, or a buffer that came in and is forwarded as it is. */
  send(data: string | Buffer): void;
  close(code: number, reason: string): void;
  /** Bytes that were sent and not yet read by the other side. */
  readonly buffered: number;
}

/** The hub's end of a pair in memory. */
export function transportLink(hub: Transport): Link {
  return {
    send: (data) => hub.send(String(data)),
    close: (_code, reason) => hub.close(reason),
    buffered: 0,
  };
}
