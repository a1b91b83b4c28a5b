import { BridgeError, type SessionSummary, type TimelineRecord } from "@debug-bridge/protocol";
import { AgentClient } from "./agent/agent-client.js";
import { type FoundHub, noHub, requestedHub, requireHub } from "./connection/find-hub.js";
import { requestAuthorized } from "./connection/proven.js";
import { type RecordOptions, streamRecordTexts } from "./connection/records.js";
import { refusal, type TextResponse, wasNotSent } from "./connection/request.js";

export interface HubClientOptions {
  /**
   * Address of the hub (`http://127.0.0.1:4000`), a list of addresses, or a function that finds the hub. It is looked for before
   * the first request, and again after the hub was lost: then the first of the list that answers is used.
   */
  readonly hub: string | readonly string[] | (() => Promise<FoundHub>);
  /** The hub's token, for addresses; by default that of the home. It is sent only after the hub has proved that it knows it. */
  readonly token?: string | undefined;
  /** Shown to people, and written to the audit log. */
  readonly name?: string | undefined;
}

export interface EventPage {
  readonly events: readonly TimelineRecord[];
  /** The `since` of the next call. */
  readonly next: number;
  /** How many newer records wait until the hub's bus stores them, if it does not at present. */
  readonly waiting?: number;
}

/**
 * A hub over HTTP, and a WebSocket to each of its sessions, opened at first use.
 *
 * @example
 * const hub = new HubClient({ hub: () => requireHub() });
 * const [first] = await hub.sessions();
 * const { text } = await (await hub.session(first.id)).observe();
 */
export class HubClient {
  private readonly clients = new Map<string, Promise<AgentClient>>();
  /** Connections on which the hub announces that its list of sessions changed. */
  private readonly announcing = new Set<AgentClient>();
  private listChanges = 0;
  private connected: Promise<FoundHub> | undefined;
  private lastUrl: string;

  constructor(private readonly options: HubClientOptions) {
    this.lastUrl = typeof options.hub === "function" ? "" : (requestedHub({ hub: options.hub }) ?? "");
  }

  /** Address of the hub that was used last; empty before the first request, if the hub is still to be found. */
  get url(): string {
    return this.lastUrl;
  }

  /** Finds the hub and lets it prove itself: once, and again after the hub was lost. */
  connect(): Promise<FoundHub> {
    if (this.connected) return this.connected;
    const connected = this.find();
    this.connected = connected;
    connected.then(
      ({ url }) => {
        this.lastUrl = url;
      },
      () => this.forget(connected),
    );
    return connected;
  }

  async sessions(): Promise<SessionSummary[]> {
    return ((await this.get("/v1/sessions")) as { sessions: SessionSummary[] }).sessions;
  }

  /**
   * Changes when the hub's list of sessions may lead to another choice than before: what was chosen from a list that was
   * requested at the same version still holds. `undefined` while the hub announces no changes.
   */
  get listVersion(): number | undefined {
    return this.announcing.size > 0 ? this.listChanges : undefined;
  }

  /** Records of a session after `since`, of these types. */
  async events(sessionId: string, since = 0, types?: readonly string[]): Promise<EventPage> {
    const query = new URLSearchParams({ since: String(since), ...(types ? { types: types.join(",") } : {}) });
    return (await this.get(`/v1/sessions/${encodeURIComponent(sessionId)}/events?${query}`)) as EventPage;
  }

  /** Sends a command to a session of any kind over HTTP, and returns its result, including a refusal of the app. */
  async command(sessionId: string, command: object): Promise<Record<string, unknown>> {
    const path = `/v1/sessions/${encodeURIComponent(sessionId)}/commands`;
    return (await this.post(path, command)) as Record<string, unknown>;
  }

  /** Records of all sessions as JSON texts: see `streamRecordTexts`. */
  async *recordTexts(options: RecordOptions): AsyncGenerator<string> {
    const connected = this.connect();
    try {
      yield* streamRecordTexts(await connected, options);
    } finally {
      // The next hub at this address has to prove itself again.
      this.forget(connected);
    }
  }

  get(path: string): Promise<unknown> {
    return this.request("GET", path);
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.request("POST", path, JSON.stringify(body));
  }

  delete(path: string): Promise<unknown> {
    return this.request("DELETE", path);
  }

  /** Whether a hub can be found. */
  isReachable(): Promise<boolean> {
    return this.connect().then(
      () => true,
      () => false,
    );
  }

  /** A connection to a session. It is kept, and opened again after it broke. */
  session(sessionId: string): Promise<AgentClient> {
    const known = this.clients.get(sessionId);
    if (known) return known;
    const opened = this.openSession(sessionId, () => {
      if (this.clients.get(sessionId) === opened) this.clients.delete(sessionId);
    });
    this.clients.set(sessionId, opened);
    return opened;
  }

  close(): void {
    for (const client of this.clients.values()) client.then((each) => each.close()).catch(() => {});
    this.clients.clear();
  }

  /** A connection that could not be opened is tried once more, with the hub that can be found then. */
  private async openSession(sessionId: string, onEnd: () => void, isRetry = false): Promise<AgentClient> {
    const connected = this.connect();
    try {
      const client = await AgentClient.open({ hub: await connected, sessionId, name: this.options.name });
      client.onListChanged(() => {
        this.listChanges++;
        this.announcing.add(client);
      });
      client.onClose(() => {
        this.listChanges++;
        this.announcing.delete(client);
        this.forget(connected);
        onEnd();
      });
      return client;
    } catch (thrown) {
      this.forget(connected);
      const { code } = BridgeError.from(thrown);
      const mayWork = code === "app_not_connected" || code === "auth_required";
      if (mayWork && !isRetry) return this.openSession(sessionId, onEnd, true);
      onEnd();
      throw thrown;
    }
  }

  private async find(): Promise<FoundHub> {
    const { hub, token } = this.options;
    return typeof hub === "function" ? hub() : requireHub({ hub, token });
  }

  private forget(connected: Promise<FoundHub>): void {
    if (this.connected === connected) this.connected = undefined;
  }

  /** What the hub answers, as it is. */
  text(path: string): Promise<string> {
    return this.requestText("GET", path);
  }

  private async request(method: string, path: string, body?: string): Promise<unknown> {
    return JSON.parse(await this.requestText(method, path, body));
  }

  private async requestText(method: string, path: string, body?: string): Promise<string> {
    let response = await this.send(method, path, body);
    // The token may have been replaced: a refused request did nothing, so it is sent once more with the one of now.
    if (response.status === 401) {
      this.connected = undefined;
      response = await this.send(method, path, body);
    }
    if (response.status === 401) throw await this.unauthorized(response);
    if (response.status < 200 || response.status > 299) throw refusal(response);
    return response.text;
  }

  private async unauthorized(response: TextResponse): Promise<BridgeError> {
    const { url, token } = await this.connect();
    const error = refusal(response);
    if (token !== undefined) return error;
    return new BridgeError(
      error.code,
      `the hub at ${url} needs a token, and did not prove that it knows the one of this home, so none was sent; use the home of that hub (--home DIR)`,
    );
  }

  /** A request that did not reach a hub is sent once more, to the hub that can be found then. */
  private async send(method: string, path: string, body?: string, isRetry = false): Promise<TextResponse> {
    const connected = this.connect();
    const hub = await connected;
    const { name } = this.options;
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(name === undefined ? {} : { "x-debug-bridge-client": name }),
    };
    try {
      return await requestAuthorized(hub, path, { method, headers, ...(body === undefined ? {} : { body }) });
    } catch (thrown) {
      this.forget(connected);
      if (!isRetry && (method === "GET" || wasNotSent(thrown))) return this.send(method, path, body, true);
      throw lost(hub, thrown);
    }
  }
}

function lost({ url }: FoundHub, thrown: unknown): BridgeError {
  if (thrown instanceof BridgeError) return thrown;
  if (wasNotSent(thrown)) return noHub({ hub: url });
  return new BridgeError(
    "outcome_unknown",
    `the connection to the hub at ${url} was lost before it answered (${(thrown as Error).message}); the command may or may not have run`,
  );
}
