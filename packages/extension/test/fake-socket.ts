import type { SocketLike } from "../src/connection/wire.js";

/** A socket for unit tests: records what is sent, and plays the other end. */
export class FakeSocket implements SocketLike {
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  readonly sent: { type?: string; method?: string; payload: Record<string, unknown> }[] = [];
  isClosed = false;

  constructor(readonly url: string) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The other end is gone, without a reason. */
  break(): void {
    this.onclose?.({ code: 1006, reason: "" });
  }
}
