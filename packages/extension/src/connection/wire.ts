import type { HubAddress } from "./address.js";
import type { ConnectionState, RetryPolicy } from "./state.js";

/** As much of a WebSocket as is used, so that tests can replace it. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What a wire may do with its current socket. After that socket has ended, every call does nothing. */
export interface WireLink {
  send(text: string): void;
  /** The handshake is complete. */
  ready(): void;
  /** The other end does not answer: close the socket and try again later. */
  fail(reason: string): void;
  /** The other end speaks another version. The socket stays open. */
  incompatible(advice: string): void;
}

export type WireName = "console" | "relay";

/** One protocol with the hub: what to send and how to read. When to connect is decided by `WireConnection`. */
export interface Wire {
  readonly name: WireName;
  readonly policy: RetryPolicy;
  readonly handshakeTimeoutMs: number;
  /** The address, as shown to a person. */
  url(hub: HubAddress): string;
  /** The address of the socket, if it is longer than the one that is shown. */
  socketUrl?(url: string): string;
  /** The socket is open. `lostReason` is why the last connection with the same hub ended, if there was one. */
  onOpen(link: WireLink, lostReason: string | undefined): void;
  onMessage(data: unknown, link: WireLink): void;
  /** The socket ended, or was never opened. */
  onEnd(): void;
  onState?(state: ConnectionState): void;
  /** The last frame before we close the socket ourselves. */
  goodbye?(reason: string): string;
}
