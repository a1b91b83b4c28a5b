import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { BridgeError, linkedPair, type Transport } from "@debug-bridge/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { HUB_LIMITS } from "../bounds/limits.js";
import type { Channel } from "../bus/channels/channel.js";
import { pipeSocket } from "../bus/remote/socket-pipe.js";
import { fromHub } from "../dispatch/hub-results.js";
import type { Role } from "../security/gate.js";
import { isReserved, ownerOf, reservedName } from "../sessions/owner.js";
import { type Link, transportLink } from "../sessions/peers/link.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { type AgentTarget, type ServedAgent, serveAgent } from "./app-agent.js";
import type { RefusedRequest } from "./app-frames.js";
import { MAX_FRAME_BYTES, servePage } from "./app-page.js";
import { type AppWireTarget, checkedId } from "./app-target.js";
import { SocketLink } from "./socket-link.js";
import { READER_SOCKET_OPTIONS, SocketReader } from "./socket-reader.js";

const SUBPROTOCOL = "debug-bridge.v1";
const PING_INTERVAL_MS = 15_000;
/** A command costs this many times as much as a message that is only recorded and forwarded. */
const COMMAND_WEIGHT = 4;

export interface AppWireOptions {
  readonly sessions: Sessions;
  /** Whether apps are admitted by the token too. */
  readonly appsNeedToken: boolean;
  /** Called for frames that were refused. */
  onRefused(sessionId: string, role: Role, error: BridgeError): void;
}

/** Who connects, as far as the gate found out. */
export interface AppWirePeer {
  /** The `Origin` of the request. */
  readonly origin: string | undefined;
  /** Whether no token was needed, and none was given. */
  readonly isOpen: boolean;
}

/** The app wire: reads frames, validates them once, and passes them to their session. */
export class AppWire {
  private readonly wss = new WebSocketServer({
    ...READER_SOCKET_OPTIONS,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  private readonly links = new Set<SocketLink>();
  /** Those that were admitted by the token. */
  private readonly authenticated = new Set<SocketLink>();
  /** The hub's ends of connections inside this process. */
  private readonly joined = new Set<Transport>();
  private readonly pinging: NodeJS.Timeout;
  private nextAgent = 1;
  private openApps = 0;

  constructor(private readonly options: AppWireOptions) {
    this.pinging = setInterval(() => {
      for (const link of this.links) link.checkAlive();
    }, PING_INTERVAL_MS);
    this.pinging.unref();
  }

  /** Accepts a connection that was admitted. `remote` leads to the hub that has its session, if that is another one. */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    target: AppWireTarget,
    peer: AppWirePeer,
    remote?: Channel | BridgeError,
  ): void {
    if (peer.isOpen && this.openApps >= HUB_LIMITS.openApps)
      throw new BridgeError(
        "rate_limit",
        `${HUB_LIMITS.openApps} apps without the token are connected, which is the limit; close some, or connect with the token`,
      );
    this.wss.handleUpgrade(request, socket, head, (ws) => {
      const link = new SocketLink(ws, socket, HUB_LIMITS.unread[target.role]);
      this.links.add(link);
      ws.on("close", () => this.links.delete(link));
      if (peer.isOpen) this.countOpen(ws);
      if (target.role === "agent" || this.options.appsNeedToken) {
        this.authenticated.add(link);
        ws.on("close", () => this.authenticated.delete(link));
      }
      let session: Session;
      try {
        if (remote instanceof BridgeError) throw remote;
        if (remote) {
          pipeSocket(ws, socket, link, remote, peer.isOpen);
          return;
        }
        session = this.openSession(target, peer);
      } catch (thrown) {
        this.reject(ws, link, target, BridgeError.from(thrown));
        return;
      }
      if (target.role === "app") this.serveApp(ws, socket, link, session, peer);
      else this.serveAgent(ws, socket, link, session, target);
    });
  }

  /** Connects an agent inside this process. What it sends is handled like the messages of every agent. */
  joinAsAgent(target: AgentTarget): Transport {
    const [agent, hub] = linkedPair();
    this.attachAgent(hub, target);
    return agent;
  }

  /** Serves an agent inside this process, whose other end has the hub's end of a pair. */
  attachAgent(hub: Transport, target: AgentTarget): void {
    const served = this.openAgent(transportLink(hub), target);
    this.joined.add(hub);
    hub.onMessage = served.onMessage;
    hub.onClose = () => {
      this.joined.delete(hub);
      served.onClose();
    };
  }

  /** Serves a peer that is connected to another hub, which has admitted it. */
  serveChannel(channel: Channel, target: AppWireTarget, peer: AppWirePeer): void {
    if (target.role === "agent") {
      const agent = this.openAgent(channel, target);
      channel.onMessage = (data) => agent.onMessage(data.toString());
      channel.onClose = agent.onClose;
      return;
    }
    const session = this.openSession(target, peer);
    const page = servePage(session, channel, {
      ...{ sessions: this.options.sessions, origin: peer.origin },
      refuse: (error, to) => this.refuse(undefined, to, session, "app", error),
    });
    channel.onMessage = page.onMessage;
    channel.onClose = page.onClose;
  }

  /** Ends the connections that were admitted by a token that is no longer valid. */
  disconnectAuthenticated(reason: string): void {
    for (const link of this.authenticated) link.close(1008, reason);
  }

  close(): void {
    clearInterval(this.pinging);
    const reason = "the hub is shutting down";
    for (const link of this.links) link.close(1001, reason);
    for (const each of this.joined) each.close(reason);
    this.wss.close();
  }

  private countOpen(ws: WebSocket): void {
    this.openApps++;
    ws.on("close", () => {
      this.openApps--;
    });
  }

  private openAgent(link: Link, target: AgentTarget): ServedAgent {
    const { sessions } = this.options;
    const session = sessions.open(checkedId(target.sessionId));
    return serveAgent(session, link, target, {
      ...{ id: `agent-${this.nextAgent++}`, sessions },
      refuse: (error, request) => this.refuse(undefined, link, session, "agent", error, request),
    });
  }

  /** An app gets only a session that is its own; an agent, which has the token, any. */
  private openSession({ role, sessionId }: AppWireTarget, { origin }: AppWirePeer): Session {
    const { sessions } = this.options;
    if (role === "agent") return sessions.open(sessionId);
    if (isReserved(sessionId)) throw reservedName(sessionId);
    return sessions.openFor(sessionId, ownerOf(origin));
  }

  /** Pages cannot read why an upgrade was refused, but they can read a message and the reason of a close. */
  private reject(
    ws: WebSocket,
    link: SocketLink,
    { role, sessionId }: AppWireTarget,
    error: BridgeError,
  ): void {
    ws.on("error", () => {});
    link.send(JSON.stringify({ ...fromHub(sessionId), type: "bridge_error", ...error.toBody() }));
    link.close(1008, error.message);
    this.options.onRefused(sessionId, role, error);
  }

  private serveApp(
    ws: WebSocket,
    socket: Duplex,
    link: SocketLink,
    session: Session,
    { origin, isOpen }: AppWirePeer,
  ): void {
    const page = servePage(session, link, {
      ...{ sessions: this.options.sessions, origin },
      refuse: (error, to) => this.refuse(reader, to, session, "app", error),
      setJoining: (characters) => reader.setJoining(characters),
    });
    const { weight, onMessage, onClose } = page;
    const reader = new SocketReader(ws, socket, link, { isOpen, weight, onMessage, onClose });
  }

  private serveAgent(
    ws: WebSocket,
    socket: Duplex,
    link: SocketLink,
    session: Session,
    target: AppWireTarget,
  ): void {
    const agent = serveAgent(session, link, target, {
      ...{ id: `agent-${this.nextAgent++}`, sessions: this.options.sessions },
      refuse: (error, request) => this.refuse(reader, link, session, "agent", error, request),
    });
    const reader = new SocketReader(ws, socket, link, {
      ...{ isOpen: false, weight: () => COMMAND_WEIGHT },
      onMessage: (data) => agent.onMessage(data.toString()),
      onClose: agent.onClose,
    });
  }

  /**
   * Reports what was wrong; also as the result of the request, if there was one, so that its sender does not wait. What was an
   * answer is not answered (`link` is undefined): a peer that answers everything would never end.
   */
  private refuse(
    reader: Pick<SocketReader, "countError"> | undefined,
    link: Link | undefined,
    session: Session,
    role: Role,
    error: BridgeError,
    request?: RefusedRequest,
  ): void {
    this.options.onRefused(session.id, role, error);
    if (reader?.countError(link ? undefined : error.message) === false) {
      this.options.onRefused(
        session.id,
        role,
        new BridgeError("rate_limit", "closed: too many invalid messages"),
      );
      return;
    }
    if (!link) return;
    const base = fromHub(session.id);
    if (request)
      link.send(JSON.stringify({ ...base, type: "command_result", ...request, ...error.toCommandResult() }));
    link.send(JSON.stringify({ type: "bridge_error", ...base, ...error.toBody() }));
  }
}
