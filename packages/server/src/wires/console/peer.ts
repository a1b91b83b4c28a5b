import type { Duplex } from "node:stream";
import { BridgeError } from "@debug-bridge/protocol";
import type { WebSocket } from "ws";
import { HUB_LIMITS } from "../../bounds/limits.js";
import type { Sessions } from "../../sessions/registry.js";
import { SocketLink } from "../socket-link.js";
import { SocketReader } from "../socket-reader.js";
import { ConsoleConnection } from "./connection.js";
import type { Documents } from "./documents.js";
import { ConsoleRouter } from "./router.js";

const PING_INTERVAL_MS = 20_000;
/** What a message costs, compared with forwarding one of the app wire. */
const WEIGHT = 2;
/** Codes with which a peer ends a connection on purpose: done, going away, none given. */
const CLEAN_CLOSES: ReadonlySet<number> = new Set([1000, 1001, 1005]);

export interface ConsolePeerOptions {
  readonly sessions: Sessions;
  readonly documents: Documents;
  readonly version: string;
  /** Whether the peer proved that it is the person's extension. */
  readonly isProven: boolean;
  onRefused(what: string, error: BridgeError): void;
  /** Its connection ended. */
  onClose(): void;
}

/** Reads what an admitted peer of the console wire sends. `first` is its first message if it was already read. */
export function serveConsole(
  ws: WebSocket,
  socket: Duplex,
  options: ConsolePeerOptions,
  first?: string,
): void {
  const { sessions, documents, isProven, onRefused } = options;
  const link = new SocketLink(ws, socket, HUB_LIMITS.unread.console);
  const router = new ConsoleRouter(sessions, documents, () => connection.client, isProven);
  const connection: ConsoleConnection = new ConsoleConnection(
    {
      send: (message) => link.send(JSON.stringify(message)),
      onEvent: (event) => router.route(event),
      onDropped: (tabId, dropped, reason) => router.recordGap(tabId, dropped, reason),
      onLatency: () => {},
      onRefused: (error) => onRefused("console message", error),
      onInvalid: () => reader.countError(),
    },
    { cliVersion: options.version, platform: process.platform },
  );
  const pinging = setInterval(() => connection.ping(Date.now()), PING_INTERVAL_MS);
  const reader = new SocketReader(ws, socket, link, {
    isOpen: !isProven,
    weight: () => WEIGHT,
    onMessage: (data) => connection.receive(data.toString(), Date.now()),
    onClose: (code) => {
      clearInterval(pinging);
      router.close();
      options.onClose();
      if (!CLEAN_CLOSES.has(code)) onRefused("console connection", lostConnection(code));
    },
  });
  if (first !== undefined) connection.receive(first, Date.now());
}

function lostConnection(code: number): BridgeError {
  return new BridgeError(
    "app_not_connected",
    `the connection of an extension was lost (code ${code}); the extension reconnects automatically`,
  );
}
