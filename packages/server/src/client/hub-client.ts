import { BridgeError, type SessionSummary, type TimelineRecord } from "@debug-bridge/protocol";
import { AgentClient } from "./agent-client.js";

export interface HubClientOptions {
  /** Address of the hub: `http://127.0.0.1:4000`. */
  readonly hub: string;
  /** The hub's token; not needed with `--auth none`. */
  readonly token?: string | undefined;
  /** Shown to people, and in the audit log. */
  readonly name?: string | undefined;
}

export interface EventPage {
  readonly events: readonly TimelineRecord[];
  /** The `since` of the next call. */
  readonly next: number;
}

/** An error of the API, or a result that says no: its `error` is the code. */
interface Refusal {
  readonly error?: { readonly code: string; readonly message: string } | string;
  readonly message?: string;
}

/**
 * An agent's way into a hub: what is there, what happened, and a connection to each session, opened when first needed.
 *
 * @example
 * const hub = new HubClient({ hub: "http://127.0.0.1:4000", token });
 * const [first] = await hub.sessions();
 * const { text } = await (await hub.session(first.id)).observe();
 */
export class HubClient {
  private readonly clients = new Map<string, Promise<AgentClient>>();

  constructor(private readonly options: HubClientOptions) {}

  get url(): string {
    return this.options.hub;
  }

  async sessions(): Promise<SessionSummary[]> {
    return ((await this.ask("/v1/sessions")) as { sessions: SessionSummary[] }).sessions;
  }

  /** What happened in a session after `since`, of these types. */
  async events(sessionId: string, since = 0, types?: readonly string[]): Promise<EventPage> {
    const query = new URLSearchParams({ since: String(since), ...(types ? { types: types.join(",") } : {}) });
    return (await this.ask(`/v1/sessions/${encodeURIComponent(sessionId)}/events?${query}`)) as EventPage;
  }

  /** Sends a command of any kind of session over HTTP and returns its result, also when that says no. */
  command(sessionId: string, command: object): Promise<Record<string, unknown>> {
    const body = JSON.stringify(command);
    return this.ask(`/v1/sessions/${encodeURIComponent(sessionId)}/commands`, body) as Promise<
      Record<string, unknown>
    >;
  }

  /** A connection to a session; kept, and opened again after it broke. */
  session(sessionId: string): Promise<AgentClient> {
    const known = this.clients.get(sessionId);
    if (known) return known;
    const { hub, token, name } = this.options;
    const opened = AgentClient.open({
      ...{ hub, sessionId },
      ...(token === undefined ? {} : { token }),
      ...(name === undefined ? {} : { name }),
    });
    this.clients.set(sessionId, opened);
    const forget = (): void => {
      if (this.clients.get(sessionId) === opened) this.clients.delete(sessionId);
    };
    opened.then((client) => client.onClose(forget), forget);
    return opened;
  }

  close(): void {
    for (const client of this.clients.values()) client.then((each) => each.close()).catch(() => {});
    this.clients.clear();
  }

  private async ask(path: string, body?: string): Promise<unknown> {
    const { hub, token, name } = this.options;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (name !== undefined) headers["x-debug-bridge-client"] = name;
    const init = body === undefined ? { headers } : { method: "POST", headers, body };
    const response = await fetch(`${hub}${path}`, init).catch(() => {
      throw new BridgeError("app_not_connected", `no hub answers at ${hub}; start one with: debug-bridge up`);
    });
    const answer = (await response.json()) as Refusal;
    if (response.ok) return answer;
    const { error, message = `the hub answered ${response.status}` } = answer;
    throw BridgeError.fromBody(
      typeof error === "object" ? error : { ...(error ? { code: error } : {}), message },
    );
  }
}
