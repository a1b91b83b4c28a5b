import type { ChangeChat, ChatSummary, RunContext, RunEvent, SessionSummary } from "@debug-bridge/protocol";
import { FeedParser } from "../feed-parser.js";
import { type HubAccess, HubRefusal } from "./access.js";

export interface FoundChat extends ChatSummary {
  /** The text around the first match of a search. */
  readonly snippet?: string;
}

export interface ChatList {
  readonly chats: readonly FoundChat[];
  /** Whether the texts of some chats were not searched. */
  readonly partial: boolean;
}

export interface AgentProvider {
  readonly name: string;
  readonly title: string;
  readonly available: boolean;
  /** What is missing, with the command that fixes it. */
  readonly problem?: string;
}

export type AgentControl = "pause" | "resume" | "step";

/** The hub's chat API. */
export class ChatClient {
  constructor(readonly access: HubAccess) {}

  chats(query: string, signal?: AbortSignal): Promise<ChatList> {
    return this.json(
      `/v1/chats${query === "" ? "" : `?q=${encodeURIComponent(query)}`}`,
      signal ? { signal } : {},
    );
  }

  async providers(): Promise<readonly AgentProvider[]> {
    return (await this.json<{ providers: AgentProvider[] }>("/v1/chat-providers")).providers;
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    return (await this.json<{ sessions: SessionSummary[] }>("/v1/sessions")).sessions;
  }

  create(provider: string): Promise<ChatSummary> {
    return this.json("/v1/chats", { method: "POST", body: JSON.stringify({ provider }) });
  }

  chat(id: string, signal: AbortSignal): Promise<ChatSummary> {
    return this.json(`/v1/chats/${id}`, { signal });
  }

  change(id: string, change: ChangeChat): Promise<ChatSummary> {
    return this.json(`/v1/chats/${id}`, { method: "PATCH", body: JSON.stringify(change) });
  }

  delete(id: string): Promise<unknown> {
    return this.json(`/v1/chats/${id}`, { method: "DELETE" });
  }

  async markdown(id: string): Promise<string> {
    return (await this.request(`/v1/chats/${id}/export`)).text();
  }

  /** Events after `since`, oldest first, at most `limit`. */
  async transcript(id: string, since: number, limit: number): Promise<readonly RunEvent[]> {
    const path = `/v1/chats/${id}/transcript?since=${since}&limit=${limit}`;
    return (await this.json<{ events: RunEvent[] }>(path)).events;
  }

  async start(id: string, message: string, context: RunContext): Promise<string> {
    const body = JSON.stringify({ message, context });
    return (await this.json<{ runId: string }>(`/v1/chats/${id}/runs`, { method: "POST", body })).runId;
  }

  stop(runId: string): Promise<unknown> {
    return this.json(`/v1/runs/${runId}/stop`, { method: "POST" });
  }

  control(session: string, type: AgentControl): Promise<unknown> {
    const body = JSON.stringify({ type, id: crypto.randomUUID(), data: {} });
    return this.json(`/v1/sessions/${encodeURIComponent(session)}/commands`, { method: "POST", body });
  }

  /** Records of an agent's session after `since`; `next` is the `since` of the next call. */
  agentRecords(
    session: string,
    since: number,
  ): Promise<{ events: readonly { type: string }[]; next: number }> {
    return this.json(`/v1/sessions/${encodeURIComponent(session)}/events?since=${since}`);
  }

  /**
   * Follows the events of a chat after `since` until the connection ends. Events that arrive together are reported
   * together. Uses `fetch`: `EventSource` cannot send the authorization.
   */
  async follow(
    id: string,
    since: number,
    signal: AbortSignal,
    onEvents: (events: readonly RunEvent[]) => void,
  ): Promise<void> {
    const headers = { "last-event-id": String(since) };
    const response = await this.request(`/events?sessionId=${id}`, { headers, signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new FeedParser();
    while (reader) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = parser.push(value).map((data) => JSON.parse(data) as RunEvent);
      // A chat sees its own events only, whatever arrives.
      const own = events.filter((event) => event.sessionId === id);
      if (own.length > 0 && !signal.aborted) onEvents(own);
    }
  }

  private async json<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    return (await (await this.request(path, init)).json()) as Answer;
  }

  private async request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.send(path, init);
    if (response.status !== 401 || !this.access.renew()) return this.accepted(response);
    return this.accepted(await this.send(path, init));
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const { url, authorization } = await this.access.connect();
    return fetch(`${url}${path}`, {
      ...init,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      headers: { ...init.headers, authorization, "x-debug-bridge-client": "chat" },
    });
  }

  private async accepted(response: Response): Promise<Response> {
    if (response.ok) return response;
    const body = (await response.json().catch(() => undefined)) as
      | { error?: { message?: string } }
      | undefined;
    throw new HubRefusal(
      response.status,
      body?.error?.message ?? `the hub answered with status ${response.status}`,
    );
  }
}
