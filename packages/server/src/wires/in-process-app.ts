import { APP_MESSAGE_LIMITS, linkedPair, type Transport } from "@debug-bridge/protocol";
import { appMessageSchema, decode } from "@debug-bridge/protocol/schemas";
import type { Sessions } from "../sessions/registry.js";

/**
 * A place for an app inside this process: the other end of the pair is one more app of the session, and what it says
 * is checked like everyone's.
 */
export function joinAsApp(sessions: Sessions, sessionId: string): Transport {
  const [app, hub] = linkedPair();
  const session = sessions.open(sessionId);
  const peer = session.addApp({
    send: (data) => hub.send(String(data)),
    close: (_code, reason) => hub.close(reason),
    buffered: 0,
  });
  hub.onMessage = (text) => {
    const decoded = decode(appMessageSchema, text, APP_MESSAGE_LIMITS);
    if (decoded.ok) session.fromApp(peer, decoded.value, text, text);
    else {
      const refused = { ...decoded.error.toBody(), type: "bridge_error", origin: "hub" };
      hub.send(JSON.stringify({ ...refused, sessionId, timestamp: Date.now() }));
    }
  };
  hub.onClose = (reason) => {
    session.removeApp(peer, reason);
    sessions.noteLeft(session);
  };
  return app;
}
