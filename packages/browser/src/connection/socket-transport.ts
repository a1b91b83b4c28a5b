import { platform } from "@debug-bridge/page/capture";
import { splitFrame, type Transport } from "@debug-bridge/protocol";

/** A browser's WebSocket behind the transport that peers speak over. */
export class SocketTransport implements Transport {
  onMessage: ((data: string) => void) | undefined;
  onClose: ((reason: string) => void) | undefined;
  onOpen: (() => void) | undefined;
  private readonly socket: WebSocket;
  private closed = false;
  /** Whether the other side joins chunks again; a hub of the first protocol would not. */
  joinsChunks = false;
  private nextChunk = 1;

  /** The constructor may throw: a page's policy, or a malformed URL. */
  constructor(url: string, protocols: string[]) {
    this.socket = new platform.WebSocket(url, protocols);
    this.socket.onopen = () => this.onOpen?.();
    this.socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.onMessage?.(data);
    };
    // A connection that the page's policy forbids fails and is not closed.
    this.socket.onclose = this.socket.onerror = () => this.end("closed");
  }

  get isOpen(): boolean {
    return !this.closed && this.socket.readyState === 1;
  }

  /** Bytes that wait to be sent. */
  get waiting(): number {
    return this.socket.bufferedAmount;
  }

  send(data: string): void {
    if (!this.isOpen) return;
    const frames = this.joinsChunks ? splitFrame(data, `c${this.nextChunk++}`) : [data];
    for (const frame of frames) this.socket.send(frame);
  }

  close(reason = "closed", code = 1000): void {
    try {
      this.socket.close(code, reason.slice(0, 100));
    } catch {
      // Closing what never opened.
    }
    this.end(reason);
  }

  private end(reason: string): void {
    if (this.closed) return;
    this.closed = true;
    this.onClose?.(reason);
  }
}
