import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  APP_MESSAGE_LIMITS,
  BridgeError,
  type Chunk,
  ChunkJoiner,
  PAGE_LEFT_CODE,
} from "@debug-bridge/protocol";
import {
  appMessageSchema,
  check,
  chunkSchema,
  commandSchema,
  type Decoded,
  decode,
  idField,
  parseBounded,
} from "@debug-bridge/protocol/schemas";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Role } from "../security/gate.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { SocketLink } from "./socket-link.js";

const SUBPROTOCOL = "debug-bridge.v1";
/** Frames up to this size are read, so that one above the wire's limit gets an answer instead of a closed connection. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const PING_INTERVAL_MS = 15_000;
/** The codes with which browsers and our SDK close the connection of a page that navigates away. */
const GOING_AWAY: ReadonlySet<number> = new Set([1001, PAGE_LEFT_CODE]);

export interface AppWireOptions {
  readonly sessions: Sessions;
  /** Whether apps are admitted by the token too. */
  readonly appsNeedToken: boolean;
  /** Called for frames that were refused. */
  onRefused(session: Session, role: Role, error: BridgeError): void;
}

/** What an upgrade request asks for. */
export interface AppWireTarget {
  readonly role: Role;
  readonly sessionId: string;
  readonly name: string | undefined;
  readonly records: boolean;
  readonly deltas: boolean;
  /** Only answers to its own commands, no telemetry. */
  readonly quiet: boolean;
  readonly since: number | undefined;
}

export function readTarget(url: URL): AppWireTarget {
  const role = url.searchParams.get("role") || "app";
  if (role !== "app" && role !== "agent") {
    throw new BridgeError(
      "invalid_message",
      `role is ${JSON.stringify(role)}; connect with role=app or role=agent`,
      { field: "role" },
    );
  }
  const sessionId = check(idField, url.searchParams.get("sessionId") || "default");
  if (!sessionId.ok) {
    throw new BridgeError("invalid_message", `sessionId ${sessionId.error.message}`, { field: "sessionId" });
  }
  const since = url.searchParams.get("since");
  if (since !== null && !/^\d{1,15}$/.test(since)) {
    throw new BridgeError(
      "invalid_message",
      `since is ${JSON.stringify(since)}; it is the sequence number of a record`,
      { field: "since" },
    );
  }
  return {
    role,
    sessionId: sessionId.value,
    name: url.searchParams.get("name")?.slice(0, 100) || undefined,
    records: since !== null || url.searchParams.has("records"),
    deltas: url.searchParams.has("deltas"),
    quiet: url.searchParams.has("quiet"),
    since: since === null ? undefined : Number(since),
  };
}

/** The app wire: reads frames, validates them once, and passes them to their session. */
export class AppWire {
  private readonly wss = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  private readonly links = new Set<SocketLink>();
  /** Those that were admitted by the token. */
  private readonly authenticated = new Set<SocketLink>();
  private readonly pinging: NodeJS.Timeout;
  private nextAgent = 1;

  constructor(private readonly options: AppWireOptions) {
    this.pinging = setInterval(() => {
      for (const link of this.links) link.checkAlive();
    }, PING_INTERVAL_MS);
    this.pinging.unref();
  }

  /** Accepts a connection that was admitted. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: AppWireTarget): void {
    this.wss.handleUpgrade(request, socket, head, (ws) => {
      const link = new SocketLink(ws, socket);
      this.links.add(link);
      if (target.role === "agent" || this.options.appsNeedToken) {
        this.authenticated.add(link);
        ws.on("close", () => this.authenticated.delete(link));
      }
      ws.on("pong", () => {
        link.alive = true;
      });
      ws.on("error", () => {});
      const session = this.options.sessions.open(target.sessionId);
      if (target.role === "app") this.serveApp(ws, link, session);
      else this.serveAgent(ws, link, session, target);
    });
  }

  /** Ends the connections that were admitted by a token that is not valid any more. */
  disconnectAuthenticated(reason: string): void {
    for (const link of this.authenticated) link.close(1008, reason);
  }

  close(): void {
    clearInterval(this.pinging);
    for (const link of this.links) link.close(1001, "the hub is shutting down");
    this.wss.close();
  }

  private serveApp(ws: WebSocket, link: SocketLink, session: Session): void {
    const app = session.addApp(link);
    const chunks = new ChunkJoiner(MAX_FRAME_BYTES);
    ws.on("message", (data: RawData) => {
      link.alive = true;
      const raw = data as Buffer;
      const text = raw.toString();
      const decoded = decode(appMessageSchema, text, APP_MESSAGE_LIMITS);
      if (decoded.ok) return session.fromApp(app, decoded.value, text, raw);
      const whole = joinChunk(chunks, text, decoded.error);
      if (whole === undefined) return;
      const message = whole.ok ? decode(appMessageSchema, whole.value, APP_MESSAGE_LIMITS) : whole;
      if (message.ok && whole.ok) session.fromApp(app, message.value, whole.value, whole.value);
      else if (!message.ok) this.refuse(link, session, "app", message.error);
    });
    ws.on("close", (code: number) => {
      this.links.delete(link);
      session.removeApp(app, `its connection closed with code ${code}`, GOING_AWAY.has(code));
      this.options.sessions.releaseIfIdle(session);
    });
  }

  private serveAgent(ws: WebSocket, link: SocketLink, session: Session, target: AppWireTarget): void {
    const id = `agent-${this.nextAgent++}`;
    const { name, records, deltas, quiet, since } = target;
    const agent = session.addAgent(link, { id: name ? `${id}:${name}` : id, records, deltas, quiet, since });
    ws.on("message", (data: RawData) => {
      link.alive = true;
      const text = (data as Buffer).toString();
      if (session.isFollowed) return this.control(link, session, agent.id, text);
      const decoded = decode(commandSchema, text, APP_MESSAGE_LIMITS);
      if (decoded.ok) session.fromAgent(agent, decoded.value, text);
      else this.refuse(link, session, "agent", decoded.error, readRequest(text));
    });
    ws.on("close", () => {
      this.links.delete(link);
      session.removeAgent(agent);
      this.options.sessions.releaseIfIdle(session);
    });
  }

  /** Runs a command for an agent and sends its answer. */
  private control(link: SocketLink, session: Session, client: string, text: string): void {
    const parsed = parseBounded(text, APP_MESSAGE_LIMITS);
    if (parsed.ok)
      void session.control(parsed.value, client).then((result) => link.send(JSON.stringify(result)));
    else this.refuse(link, session, "agent", parsed.error);
  }

  /** Reports what was wrong; also as the result of the request, if there was one, so that its sender does not wait. */
  private refuse(
    link: SocketLink,
    session: Session,
    role: Role,
    error: BridgeError,
    request?: RefusedRequest,
  ): void {
    const { code, message, details } = error.toBody();
    const base = { origin: "hub", sessionId: session.id, timestamp: Date.now() } as const;
    if (request)
      link.send(JSON.stringify({ ...base, type: "command_result", ...request, ...error.toCommandResult() }));
    link.send(
      JSON.stringify({
        type: "bridge_error",
        origin: "hub",
        sessionId: session.id,
        timestamp: Date.now(),
        code,
        message,
        ...(details ? { details } : {}),
      }),
    );
    this.options.onRefused(session, role, error);
  }
}

interface RefusedRequest {
  readonly requestType: string;
  readonly requestId: string;
}

/** The request that a refused frame was, if it names one. */
function readRequest(text: string): RefusedRequest | undefined {
  const parsed = parseBounded(text, APP_MESSAGE_LIMITS);
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return undefined;
  const { type, requestId } = parsed.value as { type?: unknown; requestId?: unknown };
  const id = check(idField, requestId);
  return id.ok ? { requestType: String(type).slice(0, 100), requestId: id.value } : undefined;
}

/** The whole message once its last chunk has arrived; `undefined` before. */
function joinChunk(chunks: ChunkJoiner, text: string, error: BridgeError): Decoded<string> | undefined {
  if (error.code !== "unknown_type" || !text.includes('"chunk"')) return { ok: false, error };
  const chunk: Decoded<Chunk> = decode(chunkSchema, text, APP_MESSAGE_LIMITS);
  if (!chunk.ok) return chunk;
  try {
    const whole = chunks.add(chunk.value);
    return whole === undefined ? undefined : { ok: true, value: whole };
  } catch (thrown) {
    return { ok: false, error: BridgeError.from(thrown) };
  }
}
