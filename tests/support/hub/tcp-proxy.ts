import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

const SLICE_MS = 20;

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A network between a client and a server that can be slow, silent or cut. */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private isSilent = false;
  private isOpen = true;
  private bytesPerSecond = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on("connection", (near) => this.accept(near));
  }

  /** A way to a port of this machine. */
  static async to(port: number | string): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new TcpProxy(server, Number(port));
    onTestFinished(() => {
      proxy.cut();
      server.close();
    });
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** An address with the port of the proxy in it. */
  through(url: string): string {
    const changed = new URL(url);
    changed.port = String(this.port);
    return changed.href.replace(/\/$/, "");
  }

  get connections(): number {
    return this.pairs.size;
  }

  /** Nothing arrives, in either direction, and nobody is notified. */
  silence(): void {
    this.isSilent = true;
    for (const pair of this.pairs) halt(pair);
  }

  /** What was sent meanwhile arrives, and everything after it. */
  heal(): void {
    this.isSilent = false;
    this.isOpen = true;
    for (const pair of this.pairs) this.pump(pair);
  }

  /** Ends all connections, as a router that forgot them does; `false` refuses new ones too. */
  cut(accept = true): void {
    this.isOpen = accept;
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
    this.pairs.clear();
  }

  /** Ends connections for the client only: the server keeps the other half and does not know. */
  leaveHalf(): void {
    for (const pair of this.pairs) {
      this.pairs.delete(pair);
      halt(pair);
      pair.near.resetAndDestroy();
      onTestFinished(() => void pair.far.destroy());
    }
  }

  slow(bytesPerSecond: number): void {
    this.bytesPerSecond = bytesPerSecond;
  }

  private accept(near: Socket): void {
    if (!this.isOpen) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.target, "127.0.0.1");
    const pair = { near, far };
    this.pairs.add(pair);
    const end = (other: Socket) => () => {
      // The end of a connection is lost like everything else.
      if (this.isSilent || !this.pairs.delete(pair)) return;
      other.destroy();
    };
    for (const [from, to] of directions(pair)) {
      from.on("error", () => {});
      from.on("close", end(to));
      from.on("data", (data: Buffer) => void this.forward(from, to, data));
    }
    if (this.isSilent) halt(pair);
    else this.pump(pair);
  }

  private async forward(from: Socket, to: Socket, data: Buffer): Promise<void> {
    if (this.bytesPerSecond === Number.POSITIVE_INFINITY) {
      if (to.write(data)) return;
      from.pause();
      to.once("drain", () => {
        if (!this.isSilent) from.resume();
      });
      return;
    }
    from.pause();
    for (let at = 0; at < data.length && !to.destroyed; ) {
      const slice = Math.max(1, Math.round((this.bytesPerSecond * SLICE_MS) / 1_000));
      to.write(data.subarray(at, at + slice));
      at += slice;
      await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
    }
    if (!this.isSilent) from.resume();
  }

  private pump(pair: Pair): void {
    pair.near.resume();
    pair.far.resume();
  }
}

const directions = ({ near, far }: Pair): [Socket, Socket][] => [
  [near, far],
  [far, near],
];

function halt({ near, far }: Pair): void {
  near.pause();
  far.pause();
}
