import { APP_MESSAGE_LIMITS, linkedPair, type SessionKind, type Transport } from "@debug-bridge/protocol";
import { appMessageSchema, decode } from "@debug-bridge/protocol/schemas";
import { transportLink } from "../../sessions/peers/link.js";
import type { Sessions } from "../../sessions/registry.js";
import { isOwnSocket } from "./own-socket.js";

export interface JoinOptions {
  /** The kind of the session; only providers inside the hub can choose one other than `app`. */
  readonly kind?: SessionKind;
}

/**
 * Joins a session as an app inside this process. Messages on the returned transport are validated like those of every
 * app.
 */
export function joinAsApp(sessions: Sessions, sessionId: string, { kind = "app" }: JoinOptions): Transport {
  const [app, hub] = linkedPair();
  const session = sessions.openFor(sessionId, { kind: "hub", sessions: kind });
  const peer = session.addApp(transportLink(hub), { kind });
  hub.onMessage = (text) => {
    const decoded = decode(appMessageSchema, text, APP_MESSAGE_LIMITS);
    if (decoded.ok) {
      if (!isOwnSocket(decoded.value, sessions.hubUrl)) session.fromApp(peer, decoded.value, text, text);
    } else {
      const refused = { ...decoded.error.toBody(), type: "bridge_error", origin: "hub" };
      hub.send(JSON.stringify({ ...refused, sessionId, timestamp: Date.now() }));
    }
  };
  hub.onClose = (reason) => {
    session.removeApp(peer, reason);
    sessions.releaseIfIdle(session);
  };
  return app;
}
