/**
 * What a peer needs of a connection: text frames, in order, until it closes. A WebSocket, a worker's port and the
 * in-memory pair below all fit behind it.
 */
export interface Transport {
  send(data: string): void;
  close(reason?: string): void;
  onMessage: ((data: string) => void) | undefined;
  /** Called once, whichever side closed. */
  onClose: ((reason: string) => void) | undefined;
}

class MemoryTransport implements Transport {
  onMessage: ((data: string) => void) | undefined;
  onClose: ((reason: string) => void) | undefined;
  other: MemoryTransport | undefined;
  private open = true;

  send(data: string): void {
    if (!this.open) return;
    const { other } = this;
    queueMicrotask(() => {
      if (other?.open) other.onMessage?.(data);
    });
  }

  close(reason = "closed"): void {
    if (!this.open) return;
    this.shut(reason);
    const { other } = this;
    queueMicrotask(() => other?.shut(reason));
  }

  private shut(reason: string): void {
    if (!this.open) return;
    this.open = false;
    this.onClose?.(reason);
  }
}

/**
 * Two transports joined in memory: what one sends, the other receives, in order and never in the same turn.
 *
 * @example
 * const [app, hub] = linkedPair();
 * hub.onMessage = (data) => console.log(data);
 * app.send("hi");
 */
export function linkedPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.other = right;
  right.other = left;
  return [left, right];
}
