/** The sending half of a connection, as a session sees it: a WebSocket, or the end of a pair in memory. */
export interface Link {
  /** `raw` is what came in, to be passed on as it is; text is what the hub says itself. */
  send(data: string | Buffer): void;
  close(code: number, reason: string): void;
  /** Bytes that were sent and not yet taken by the other side. */
  readonly buffered: number;
}
