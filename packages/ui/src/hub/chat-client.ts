import type {
  ApprovalDecision,
  ChangeChat,
  ChatApprovals,
  ChatFeedEvent,
  ChatSummary,
  RunEvent,
  SentImage,
  SessionSummary,
  SimpleBreakpoint,
  StartRun,
} from "@debug-bridge/protocol";
import type { AgentRecord } from "../state/agent-stop.js";
import { type HubAccess, HubRefusal } from "./access.js";
import { readEvents, refusalText } from "./answers.js";

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

/** A part of a transcript; `earlier` is the `before` of the part before it, null at the beginning. */
export interface TranscriptPage {
  readonly events: readonly RunEvent[];
  readonly earlier: number | null;
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

  chat(id: string): Promise<ChatSummary> {
    return this.json(`/v1/chats/${id}`);
  }

  create(provider: string, breakpoints: readonly SimpleBreakpoint[]): Promise<ChatSummary> {
    const about = { provider, ...(breakpoints.length === 0 ? {} : { breakpoints }) };
    return this.json("/v1/chats", { method: "POST", body: JSON.stringify(about) });
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

  /** The newest events before `before`, or the newest of all, oldest first. */
  page(id: string, limit: number, before?: number, signal?: AbortSignal): Promise<TranscriptPage> {
    const start = before === undefined ? "" : `&before=${before}`;
    return this.json(`/v1/chats/${id}/transcript?limit=${limit}${start}`, signal ? { signal } : {});
  }

  async start(id: string, run: StartRun): Promise<string> {
    const body = JSON.stringify(run);
    return (await this.json<{ runId: string }>(`/v1/chats/${id}/runs`, { method: "POST", body })).runId;
  }

  decide(id: string, approvalId: string, decision: ApprovalDecision): Promise<unknown> {
    const path = `/v1/chats/${id}/approvals/${encodeURIComponent(approvalId)}`;
    return this.json(path, { method: "POST", body: JSON.stringify({ decision }) });
  }

  /** The sites on which agents may always act. */
  async approvals(): Promise<ChatApprovals["approvals"]> {
    return (await this.json<ChatApprovals>("/v1/chat-approvals")).approvals;
  }

  removeApproval(origin: string): Promise<unknown> {
    return this.json(`/v1/chat-approvals/${encodeURIComponent(origin)}`, { method: "DELETE" });
  }

  /** The bytes of a picture that a chat keeps. */
  async image(id: string, imageId: string): Promise<Blob> {
    return (await this.request(`/v1/chats/${id}/images/${encodeURIComponent(imageId)}`)).blob();
  }

  stop(runId: string): Promise<unknown> {
    return this.json(`/v1/runs/${runId}/stop`, { method: "POST" });
  }

  control(session: string, type: AgentControl): Promise<unknown> {
    return this.command(session, { type, id: crypto.randomUUID(), data: {} });
  }

  /** A picture of the page of a session. */
  async screenshot(session: string): Promise<SentImage> {
    const answer = await this.command(session, { type: "screenshot", quality: 80 });
    const { mimeType, data } = (answer as { value: SentImage }).value;
    return { mimeType, data };
  }

  private command(session: string, command: object): Promise<unknown> {
    const body = JSON.stringify(command);
    return this.json(`/v1/sessions/${encodeURIComponent(session)}/commands`, { method: "POST", body });
  }

  /** Records of an agent's session after `since`; `next` is the `since` of the next call. */
  agentRecords(session: string, since: number): Promise<{ events: readonly AgentRecord[]; next: number }> {
    return this.json(`/v1/sessions/${encodeURIComponent(session)}/events?since=${since}`);
  }

  /**
   * Follows the events of a chat after `since` until the connection ends. Events that arrive together are reported
   * together. Uses `fetch`: `EventSource` cannot send the authorization.
   */
  follow(
    id: string,
    since: number,
    signal: AbortSignal,
    onOpen: () => void,
    onEvents: (events: readonly RunEvent[]) => void,
  ): Promise<void> {
    const init = { headers: { "last-event-id": String(since) }, signal };
    const onAny = (events: readonly RunEvent[]): void => {
      // A chat sees its own events only, whatever arrives.
      const own = events.filter((event) => event.sessionId === id);
      if (own.length > 0) onEvents(own);
    };
    return this.stream(`/events?sessionId=${id}`, init, onOpen, onAny);
  }

  /** Follows changes of the list of chats until the connection ends. `onOpen`: from now on every change is reported. */
  followList(
    signal: AbortSignal,
    onOpen: () => void,
    onEvents: (events: readonly ChatFeedEvent[]) => void,
  ): Promise<void> {
    return this.stream("/v1/chats/feed", { signal }, onOpen, onEvents);
  }

  private async stream<Event>(
    path: string,
    init: RequestInit & { readonly signal: AbortSignal },
    onOpen: () => void,
    onEvents: (events: readonly Event[]) => void,
  ): Promise<void> {
    const response = await this.request(path, init);
    onOpen();
    await readEvents<Event>(response, (events) => {
      if (!init.signal.aborted) onEvents(events);
    });
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
    throw new HubRefusal(response.status, await refusalText(response));
  }
}
