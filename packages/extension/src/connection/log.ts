import type { WireName } from "./wire.js";

/** The end of a connection, for the popup. */
export interface ConnectionEnd {
  readonly at: number;
  readonly wire: WireName;
  readonly reason: string;
}

const MAX_ENDS = 20;

/** The newest ends of connections, oldest first. */
export function appendEnd(ends: readonly ConnectionEnd[], end: ConnectionEnd): readonly ConnectionEnd[] {
  return [...ends, end].slice(-MAX_ENDS);
}
