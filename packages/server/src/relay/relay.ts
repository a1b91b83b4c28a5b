import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { EndedDownload } from "@debug-bridge/driver";
import { BridgeError, EXTENSION_MESSAGE_LIMITS, httpStatusOf } from "@debug-bridge/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { ErrorAllowance } from "../bounds/error-allowance.js";
import { HUB_LIMITS } from "../bounds/limits.js";
import { steadyNow } from "../bounds/steady-clock.js";
import type { Channel } from "../bus/channels/channel.js";
import type { RelayClient, SharedRelay } from "../bus/remote/relays.js";
import { pipeSocket } from "../bus/remote/socket-pipe.js";
import { isUlid } from "../chats/store/ulid.js";
import type { PersonSettings } from "../dispatch/policy.js";
import { gateRequest, refuseUpgrade, requestUrl } from "../http/reply.js";
import { ChromeConnection, type ChromeConnectionOptions } from "../providers/chrome/chrome-connection.js";
import { admit, checkHost, type GateOptions } from "../security/gate.js";
import { checkExtensionOrigin, ExtensionSocket } from "../wires/extension/socket.js";
import type { CodeWindow } from "../wires/pairing/code-window.js";
import { SocketLink } from "../wires/socket-link.js";
import { READER_SOCKET_OPTIONS, SocketReader } from "../wires/socket-reader.js";
import type { CommandPort } from "./clients/command-gate.js";
import { type CdpSession, type OpenTabOptions, openTab } from "./clients/in-process-session.js";
import { RelayCore } from "./relay-core.js";
import { DownloadCopies } from "./tabs/download-copy.js";
import { keepDownload } from "./tabs/keep-download.js";
import type { TabEvent, TabSummary } from "./tabs/tab-usage.js";
import { type ClientMode, ClientSlot } from "./wire/client-slot.js";
import { WireLog } from "./wire/wire-log.js";

export interface RelayOptions {
  /** The home of the hub, below which clients may have their downloads. */
  readonly home: string;
  readonly gate: GateOptions;
  /** The key that the extension has to know. */
  readonly pairingKey: () => string;
  /** Pairing by a code, on `/pair`. */
  readonly codeWindow: CodeWindow;
  readonly port: number;
  readonly version: string;
  readonly clientMode?: ClientMode;
  /** The address of the dashboard, which the popup links to. */
  readonly dashboard?: string;
  /** The clients that wait for a shared tab have changed. */
  onWaiting?(clients: readonly string[]): void;
  /** The policy, the timeline and the audit log, for commands of clients. */
  readonly commands: CommandPort;
  /** A file for the wire as JSON lines. */
  readonly cdpLog?: string;
  /** The relays of other hubs: opens one of them for a client, unless this one has to serve it. */
  readonly others?: { open(client: RelayClient): Promise<Channel | undefined> } | undefined;
  /** A browser that the hub connects to itself, instead of an extension that connects to the hub. */
  readonly chrome?: Omit<ChromeConnectionOptions, "onRefused">;
  onAudit(who: string, what: string, outcome: string, target?: string): void;
  onRefused(what: string, error: BridgeError): void;
}

const TAKEN =
  "this hub was started with --chrome: it is connected to a browser itself, and takes no extension. Start a second hub with --relay-port, and set its address in the popup";
const EXPIRE_INTERVAL_MS = 250;
/** What a command costs, compared with forwarding a message of the app wire. */
const COMMAND_WEIGHT = 2;

/**
 * The sockets of the relay: the extension on `/extension`, CDP clients on `/cdp`. The logic is in relay-core.ts.
 */
export class Relay implements SharedRelay {
  private readonly core: RelayCore;
  private readonly slot: ClientSlot;
  private readonly extension: ExtensionSocket;
  private readonly chrome: ChromeConnection | undefined;
  private readonly log: WireLog | undefined;
  private readonly wss = new WebSocketServer({
    ...READER_SOCKET_OPTIONS,
    maxPayload: EXTENSION_MESSAGE_LIMITS.bytes,
  });
  private readonly timer: NodeJS.Timeout;
  private readonly clientSockets = new Set<WebSocket>();
  private readonly tabListeners = new Set<(event: TabEvent) => void>();

  constructor(
    server: Server,
    private readonly options: RelayOptions,
  ) {
    this.core = new RelayCore({
      commands: options.commands,
      now: steadyNow,
      files: new DownloadCopies(options.home),
      onTab: (event) => {
        for (const listener of this.tabListeners) listener(event);
      },
      dashboard: () => options.dashboard,
      onWaiting: (clients) => options.onWaiting?.(clients),
    });
    this.slot = new ClientSlot(options.clientMode ?? "multi-client");
    const onLogFailed = (error: BridgeError): void => options.onRefused("the log of the wire", error);
    this.log =
      options.cdpLog === undefined
        ? undefined
        : new WireLog(options.cdpLog, () => options.gate.token, onLogFailed);
    const proof = { wire: "relay", address: `127.0.0.1:${options.port}`, key: options.pairingKey } as const;
    this.extension = new ExtensionSocket(this.core, this.log, proof, options.onRefused);
    const onRefused = (error: BridgeError): void => options.onRefused("message of the browser", error);
    this.chrome = options.chrome && new ChromeConnection(this.core, { ...options.chrome, onRefused });
    this.timer = setInterval(() => this.core.expire(), EXPIRE_INTERVAL_MS);
    this.timer.unref();
    server.on("upgrade", (request, socket, head) => this.upgrade(request, socket, head));
    server.on("request", (request, response) => this.answer(request, response));
  }

  /** Whether a browser is connected. */
  get isConnected(): boolean {
    return this.core.extension.connected;
  }

  get wasConnected(): boolean {
    return this.core.wasConnected;
  }

  /** The person's settings in the popup, as far as the extension reports them. */
  get person(): PersonSettings | undefined {
    return this.core.person;
  }

  /** A client that is not on this relay wants a tab. Returns what to answer when the person shares none. */
  askForTab(client: string): BridgeError | undefined {
    return this.core.sharing.ask(client);
  }

  /** Clients that wait because the person shares no tab. */
  waitingClients(): readonly string[] {
    return this.core.sharing.waiting();
  }

  /** Tabs that the person lets agents use. */
  tabs(): TabSummary[] {
    return this.core.usage.summaries();
  }

  /** Opens a CDP session on a tab for a part of the hub. */
  openTab(targetId: string, options: OpenTabOptions | string = {}): CdpSession {
    return openTab(this.core, targetId, typeof options === "string" ? { name: options } : options);
  }

  /** Copies the file of a download in a tab to the folder of a session. Returns its path, as far as it is known. */
  keepDownload(download: EndedDownload, sessionId: string): Promise<string | undefined> {
    return keepDownload(this.core, download, join(this.options.home, "downloads", sessionId));
  }

  /** Calls `listener` when tabs open, close, are attached or detached; returns a function that stops it. */
  onTab(listener: (event: TabEvent) => void): () => void {
    this.tabListeners.add(listener);
    return () => this.tabListeners.delete(listener);
  }

  /** Ends the connections of CDP clients, whose token is no longer valid. */
  disconnectClients(reason: string): void {
    for (const socket of this.clientSockets) socket.close(1008, reason);
  }

  /** Ends the connection of the extension, whose pairing key is no longer valid. */
  disconnectExtension(reason: string): void {
    this.extension.disconnect(reason);
  }

  close(): void {
    clearInterval(this.timer);
    for (const socket of this.wss.clients) socket.close(1001, "the hub is shutting down");
    this.extension.close();
    this.chrome?.close();
    this.wss.close();
    this.log?.flush();
  }

  /** The address for CDP clients, token included. */
  get clientUrl(): string {
    return `ws://127.0.0.1:${this.options.port}/cdp?token=${this.options.gate.token}`;
  }

  /** The token is needed whatever `--auth` is: this wire gives access to the person's logins. */
  private admitClient(request: IncomingMessage, url: URL): void {
    admit(gateRequest(request, url), "agent", {
      ...this.options.gate,
      auth: "token",
      host: "127.0.0.1",
      allowHosts: [],
    });
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const url = requestUrl(request);
    try {
      if (url.pathname === "/extension") {
        checkHost(request.headers.host, { ...this.options.gate, host: "127.0.0.1", allowHosts: [] });
        if (this.chrome) throw new BridgeError("conflict", TAKEN);
        this.extension.admit(request.headers.origin, url.searchParams.get("instance"));
        this.wss.handleUpgrade(
          request,
          socket,
          head,
          (ws) => void this.extension.prove(ws, socket, url.searchParams.get("instance")),
        );
      } else if (url.pathname === "/pair") {
        checkHost(request.headers.host, { ...this.options.gate, host: "127.0.0.1", allowHosts: [] });
        checkExtensionOrigin(request.headers.origin);
        this.options.codeWindow.check();
        this.wss.handleUpgrade(
          request,
          socket,
          head,
          (ws) => void this.options.codeWindow.accept(ws, socket),
        );
      } else if (url.pathname === "/cdp" || url.pathname.startsWith("/cdp/")) {
        this.admitClient(request, url);
        this.slot.check();
        const run = url.searchParams.get("run");
        if (run !== null && !isUlid(run))
          throw new BridgeError("invalid_message", "run must be the id of a run of a chat", { field: "run" });
        const client = {
          name: clientName(request.headers["user-agent"]),
          runId: run ?? undefined,
          hub: url.searchParams.get("hub") ?? undefined,
        };
        void this.connectClient(request, socket, head, client).catch((thrown) =>
          this.refuse(socket, url.pathname, thrown),
        );
      } else {
        throw new BridgeError(
          "target_not_found",
          `no wire at ${url.pathname}; clients connect to /cdp?token=…, the extension to /extension`,
        );
      }
    } catch (thrown) {
      this.refuse(socket, url.pathname, thrown);
    }
  }

  private refuse(socket: Duplex, path: string, thrown: unknown): void {
    const error = BridgeError.from(thrown);
    this.options.onRefused(`upgrade relay ${path}`, error);
    refuseUpgrade(socket, error);
  }

  /** Connects a client with the tabs of this hub, or with those of another one. */
  private async connectClient(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    client: RelayClient,
  ): Promise<void> {
    const remote = await this.options.others?.open(client);
    this.wss.handleUpgrade(request, socket, head, (ws) => {
      const link = new SocketLink(ws, socket, HUB_LIMITS.unread.cdp);
      this.clientSockets.add(ws);
      ws.on("close", () => this.clientSockets.delete(ws));
      if (remote) {
        this.options.onAudit(`cdp:${client.name}`, "connect", "done", `the hub ${remote.peer}`);
        pipeSocket(ws, socket, link, remote, false);
        return;
      }
      const countError = (): boolean => reader.countError();
      const served = this.serve(link, client, countError);
      const reader: SocketReader = new SocketReader(ws, socket, link, {
        ...{ isOpen: false, weight: () => COMMAND_WEIGHT, ...served },
      });
    });
  }

  /** Serves a client that is connected to another hub. */
  serveChannel(channel: Channel, name: string, runId: string | undefined): void {
    this.slot.check();
    const errors = new ErrorAllowance();
    const send = (text: string): void => channel.send(text);
    const link = { send, sendReply: send };
    const served = this.serve(link, { name, runId }, () => {
      if (errors.admit(Date.now())) return true;
      channel.close(1008, "too many invalid messages; fix the sender, then connect again");
      return false;
    });
    channel.onMessage = served.onMessage;
    channel.onClose = served.onClose;
  }

  private serve(
    link: { send(text: string): void; sendReply(text: string): void },
    { name, runId }: Pick<RelayClient, "name" | "runId">,
    countError: () => boolean,
  ): { onMessage(data: Buffer): void; onClose(): void } {
    const client = this.core.connect(name, (text, isReply) => {
      this.log?.write("relay>client", client.id, text);
      if (isReply) link.sendReply(text);
      else link.send(text);
    });
    client.runId = runId;
    this.slot.occupy(client.id, Date.now());
    this.options.onAudit(`cdp:${name}`, "connect", "done", client.id);
    const onMessage = (data: Buffer): void => {
      const text = data.toString();
      this.log?.write("client>relay", client.id, text);
      try {
        this.core.clientText(client, text);
      } catch (thrown) {
        const error = BridgeError.from(thrown);
        this.options.onRefused("message of a CDP client", error);
        if (countError())
          link.send(JSON.stringify({ ...error.details, error: { code: -32_600, message: error.message } }));
      }
    };
    const onClose = (): void => {
      this.slot.free(client.id);
      this.core.disconnect(client);
    };
    return { onMessage, onClose };
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = requestUrl(request);
    try {
      checkHost(request.headers.host, { ...this.options.gate, host: "127.0.0.1", allowHosts: [] });
      this.send(response, 200, this.body(request, url));
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      if (httpStatusOf(error) === 401 || httpStatusOf(error) === 403)
        this.options.onRefused(`${request.method} relay ${url.pathname}`, error);
      this.send(response, httpStatusOf(error), { error: error.toBody() });
    }
  }

  private body(request: IncomingMessage, url: URL): object {
    const path = url.pathname.replace(/(.)\/$/, "$1");
    if (request.method !== "GET") throw new BridgeError("not_supported", `${path} answers GET only`);
    if (path === "/healthz")
      return {
        ok: true,
        wire: "relay",
        version: this.options.version,
        extension: this.core.extension.connected,
        clients: this.core.clients.size,
        tabs: this.core.tabs.size,
      };
    if (path === "/client-slot") {
      refusePages(request);
      return this.slot.state();
    }
    this.admitClient(request, url);
    // The address is without the token: the client has it already.
    const webSocketDebuggerUrl = `ws://${request.headers.host}/cdp`;
    if (path === "/json/version") {
      const { product, userAgent, protocolVersion } = this.core.version() as Record<string, string>;
      return {
        Browser: product,
        "Protocol-Version": protocolVersion,
        "User-Agent": userAgent,
        "V8-Version": "",
        "WebKit-Version": "",
        webSocketDebuggerUrl,
      };
    }
    if (path === "/json/list" || path === "/json")
      return this.core.targetInfos().map(({ targetId, type, title, url: at }) => ({
        id: targetId,
        type,
        title,
        url: at,
        webSocketDebuggerUrl,
      }));
    throw new BridgeError(
      "target_not_found",
      `nothing at ${path}; use /json/version, /json/list, /client-slot or /healthz`,
    );
  }

  private send(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json", "x-content-type-options": "nosniff" });
    response.end(JSON.stringify(body));
  }
}

/** Requests of pages have an `Origin` or `Sec-Fetch-Site`; those of programs have neither. */
function refusePages(request: IncomingMessage): void {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (origin === undefined && (site === undefined || site === "none")) return;
  throw new BridgeError("forbidden_origin", `pages may not use the relay (${origin ?? "without an Origin"})`);
}

/** The name of a client that the person sees: the first words of its `User-Agent`. */
function clientName(userAgent: string | undefined): string {
  const [, product, version] = /^([\w-]+)[/ ]v?([\d.]+)/.exec(userAgent ?? "") ?? [];
  return product ? `${product} ${version}` : "CDP client";
}
