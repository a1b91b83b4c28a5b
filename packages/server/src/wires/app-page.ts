import { APP_MESSAGE_LIMITS, type BridgeError, ChunkJoiner, PAGE_LEFT_CODE } from "@debug-bridge/protocol";
import { appMessageSchema, check, decode } from "@debug-bridge/protocol/schemas";
import type { AppPeer } from "../sessions/peers/app-peer.js";
import type { Link } from "../sessions/peers/link.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { Dialect } from "./app-dialect/dialect.js";
import { isAnswer, joinChunk, readRequest } from "./app-frames.js";

/** Frames up to this size are read, so that one above the wire's limit gets an answer instead of a closed connection. */
export const MAX_FRAME_BYTES = 2 * APP_MESSAGE_LIMITS.bytes;
/** Forwarding a message to this many agents costs as much as recording it. */
const AGENTS_PER_UNIT = 4;
/** The codes with which browsers and our SDK close the connection of a page that navigates away. */
const GOING_AWAY: ReadonlySet<number> = new Set([1001, PAGE_LEFT_CODE]);

export interface ServePageOptions {
  readonly sessions: Sessions;
  /** The `Origin` of its connection. */
  readonly origin: string | undefined;
  /** Reports what was wrong with a message. What was an answer is not answered: `link` is undefined. */
  refuse(error: BridgeError, link: Link | undefined): void;
  /** Characters of messages in chunks that are not complete yet. */
  setJoining?(characters: number): void;
}

/** What comes from the page, over whatever connects it. */
export interface ServedPage {
  onMessage(raw: Buffer): void;
  onClose(code: number): void;
  /** What handling a small message costs now, compared with forwarding one to one peer. */
  weight(): number;
}

/** Serves one page as an app of a session: validates its messages, records and forwards them. */
export function servePage(session: Session, link: Link, options: ServePageOptions): ServedPage {
  const { sessions, origin, refuse } = options;
  const app = session.addApp(link, { origin, greets: true });
  const chunks = new ChunkJoiner(MAX_FRAME_BYTES);
  let dialect: Dialect | undefined;
  return {
    onMessage(raw) {
      const text = raw.toString();
      if (dialect) {
        dialect.receive(text);
        return;
      }
      const decoded = decode(appMessageSchema, text, APP_MESSAGE_LIMITS);
      if (decoded.ok) {
        session.fromApp(app, decoded.value, text, raw);
        return;
      }
      if (Dialect.recognises(text)) {
        dialect = speakDialect(link, session, app, (error) => refuse(error, undefined));
        dialect.receive(text);
        return;
      }
      const whole = joinChunk(chunks, text, decoded.error);
      options.setJoining?.(chunks.held);
      if (whole === undefined) return;
      const message = whole.ok ? decode(appMessageSchema, whole.value, APP_MESSAGE_LIMITS) : whole;
      if (message.ok && whole.ok) session.fromApp(app, message.value, whole.value, whole.value);
      else if (!message.ok) {
        const frame = whole.ok ? whole.value : text;
        const isReply = isAnswer(frame);
        if (isReply) app.refuseReply(readRequest(frame)?.requestId, message.error);
        refuse(message.error, isReply ? undefined : link);
      }
    },
    onClose(code) {
      dialect?.leave(`its connection closed with code ${code}`);
      session.removeApp(app, `its connection closed with code ${code}`, GOING_AWAY.has(code));
      sessions.releaseIfIdle(session);
    },
    weight: () => 1 + session.agentCount / AGENTS_PER_UNIT,
  };
}

/** Translates for a page that uses the published SDK. */
function speakDialect(
  link: Link,
  session: Session,
  app: AppPeer,
  refuse: (error: BridgeError) => void,
): Dialect {
  const emit = (message: object): void => {
    const checked = check(appMessageSchema, message);
    const text = JSON.stringify(message);
    if (checked.ok) session.fromApp(app, checked.value, text, text);
    else {
      app.refuseReply((message as { requestId?: string }).requestId, checked.error);
      refuse(checked.error);
    }
  };
  const dialect = new Dialect({ sessionId: session.id, link, emit, refuse });
  app.speakThrough(dialect);
  return dialect;
}
