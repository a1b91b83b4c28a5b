import { type ClientOptions, WebSocket } from "ws";
import { until } from "../../fixtures.js";
import { tokenHeaders } from "../../support/chrome/pairing.js";

/** A WebSocket peer that can send anything and keeps everything. */
export class FuzzPeer {
  readonly frames: string[] = [];
  isClosed = false;
  /** How many messages it has sent. */
  sent = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => this.frames.push(String(data)));
    socket.on("close", () => {
      this.isClosed = true;
    });
    socket.on("error", () => {});
  }

  static async connect(url: string, options: ClientOptions = {}): Promise<FuzzPeer> {
    const headers = { ...tokenHeaders(url), ...options.headers };
    const peer = new FuzzPeer(new WebSocket(url, { ...options, headers }));
    await new Promise<void>((resolve, reject) => {
      peer.socket.once("open", () => resolve());
      peer.socket.once("error", reject);
    });
    return peer;
  }

  send(data: string | Buffer | object, binary = false): void {
    const payload = typeof data === "string" || Buffer.isBuffer(data) ? data : JSON.stringify(data);
    this.sent++;
    this.socket.send(payload, { binary });
  }

  /** Everything that was received, parsed; a frame that is not JSON throws. */
  messages(from = 0): Record<string, unknown>[] {
    return this.frames.slice(from).map((frame) => JSON.parse(frame) as Record<string, unknown>);
  }

  /** Resolves with the frames received until one contains `text`, which ends the wait and is left out. */
  async readUntil(text: string, from: number): Promise<Record<string, unknown>[]> {
    const end = await until(() => {
      if (this.isClosed) throw new Error(`the connection closed before ${text}`);
      const at = this.frames.findIndex((frame, index) => index >= from && frame.includes(text));
      return at === -1 ? undefined : { at };
    });
    return this.frames.slice(from, end.at).map((frame) => JSON.parse(frame) as Record<string, unknown>);
  }

  /** Resolves once the connection is closed, or an answer contains `text`. */
  async closedOrAnswered(text: string): Promise<void> {
    await until(() => this.isClosed || this.frames.some((frame) => frame.includes(text)));
  }

  close(): void {
    this.socket.terminate();
  }
}

/** Messages that a peer sends over one connection: the hub disconnects a peer that sends nothing but invalid ones. */
const MAX_SENT = 40;

/** The peer itself, or a new one in its place when it has sent enough. */
export async function renew(peer: FuzzPeer, connect: () => Promise<FuzzPeer>): Promise<FuzzPeer> {
  if (peer.sent <= MAX_SENT) return peer;
  peer.close();
  return connect();
}

/**
 * Sends each text followed by a barrier, a message that is always answered by name. Returns what was received for each
 * text.
 */
export async function exchange(
  peer: FuzzPeer,
  texts: readonly string[],
  barrier: (name: string) => object | string,
): Promise<Record<string, unknown>[][]> {
  let at = peer.frames.length;
  const names = texts.map((text) => {
    const name = barrierName();
    peer.send(text);
    peer.send(barrier(name));
    return name;
  });
  const answers: Record<string, unknown>[][] = [];
  for (const name of names) {
    const received = await peer.readUntil(name, at);
    at += received.length + 1;
    answers.push(received);
  }
  peer.frames.splice(0, at);
  return answers;
}

let barriers = 0;

/** A text that no generator makes and that every answer to it quotes. */
export function barrierName(): string {
  barriers++;
  return `barrier-${barriers}-end`;
}
