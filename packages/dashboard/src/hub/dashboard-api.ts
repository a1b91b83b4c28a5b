import {
  type HubBrowsers,
  type HubSettings,
  isLoopbackName,
  type RecordDetails,
  type RecordingSummary,
  type SessionSummary,
  type SourceExcerpt,
  type SourceLocation,
  type TimelineBuckets,
  type TimelinePage,
  type TimelineRecords,
} from "@debug-bridge/protocol";
import type { SharedContents } from "@debug-bridge/protocol/timeline";
import { readEvents, refusalText } from "@debug-bridge/ui/hub-answers";
import type { Frame, Place, ReplayPart, TimelineAddress, TimelineReader } from "../data/timeline-reader.js";

/** The hub does not let this page in: it needs another token. */
export class RefusedError extends Error {}
/** The hub answered that something cannot be done, and why. */
class HubError extends Error {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

export interface SessionList {
  readonly sessions: readonly SessionSummary[];
  /** Clients that wait because the person shares no tab. */
  readonly waiting: readonly string[];
}

export type FeedEvent =
  | { readonly type: "session"; readonly data: SessionSummary }
  | { readonly type: "waiting"; readonly clients: readonly string[] }
  | { readonly type: "added"; readonly sessions: readonly string[] };

/** An element that the person chose in the page. Its texts are the page's own. */
export interface PickedElement {
  /** False when the person pressed Escape, or nobody chose in time. */
  readonly picked: boolean;
  readonly ref?: string;
  readonly role?: string;
  readonly name?: string;
  readonly selector?: string;
  /** Where it was written, if something says so. */
  readonly source?: string;
}

const UNAUTHORIZED = [401, 403];

/** The hub's HTTP API. */
export class DashboardApi implements TimelineReader {
  private readonly readers = new Set<{ readonly session: string; readonly onAdded: () => void }>();

  constructor(readonly token: string | undefined) {}

  sessions(signal?: AbortSignal): Promise<SessionList> {
    return this.json("/v1/sessions", signal);
  }

  recordings(signal?: AbortSignal): Promise<{
    readonly recordings: readonly RecordingSummary[];
    readonly omitted: number;
  }> {
    return this.json("/v1/recordings", signal);
  }

  browsers(signal: AbortSignal): Promise<{ readonly hubs: readonly HubBrowsers[] }> {
    return this.json("/v1/browsers", signal);
  }

  settings(signal: AbortSignal): Promise<HubSettings> {
    return this.json("/v1/settings", signal);
  }

  timeline(of: TimelineAddress, query: URLSearchParams, signal?: AbortSignal): Promise<TimelinePage> {
    return this.json(`${pathOf(of)}/timeline?${query}`, signal);
  }

  buckets(of: TimelineAddress, parts: number, signal?: AbortSignal): Promise<TimelineBuckets> {
    return this.json(`${pathOf(of)}/timeline/buckets?parts=${parts}`, signal);
  }

  record(of: TimelineAddress, sequence: number, signal?: AbortSignal): Promise<RecordDetails> {
    return this.json(`${pathOf(of)}/records/${sequence}`, signal);
  }

  records(of: TimelineAddress, query: URLSearchParams, signal?: AbortSignal): Promise<TimelineRecords> {
    return this.json(`${pathOf(of)}/records?${query}`, signal);
  }

  /** Only of live sessions: code on disk may be another than that of a recording. */
  source(of: TimelineAddress, { url, line, column }: Place, signal: AbortSignal): Promise<SourceExcerpt> {
    const query = new URLSearchParams({ url, line: String(line), column: String(column) });
    return of.kind === "session"
      ? this.json(`${pathOf(of)}/source?${query}`, signal)
      : Promise.reject(new HubError("the code of a recording is not kept"));
  }

  /** Only of live sessions, as `source`. */
  async places(
    of: TimelineAddress,
    sequences: readonly number[],
  ): Promise<ReadonlyMap<number, SourceLocation>> {
    if (of.kind !== "session") return new Map();
    const path = `${pathOf(of)}/places?records=${sequences.join(",")}`;
    const { places } = await this.json<{ places: Record<string, SourceLocation> }>(path);
    return new Map(Object.entries(places).map(([sequence, place]) => [Number(sequence), place]));
  }

  /** Only if the hub is on the person's machine: a path of another one opens nothing here. */
  async projectFile({ kind, id }: TimelineAddress, at: string, signal: AbortSignal): Promise<string> {
    if (kind !== "session" || !isLoopbackName(location.hostname))
      throw new HubError("files can be opened only of live sessions, on the machine of the hub");
    const query = new URLSearchParams({ session: id, at });
    return (await this.json<{ file: string }>(`/v1/project-file?${query}`, signal)).file;
  }

  /** What a file that is shared would hold; and that file. */
  sharedContents(
    of: TimelineAddress,
    stretch: URLSearchParams,
    signal: AbortSignal,
  ): Promise<SharedContents> {
    return this.json(`${pathOf(of)}/share/contents?${stretch}`, signal);
  }

  async share(of: TimelineAddress, stretch: URLSearchParams): Promise<Blob> {
    return (await this.request(`${pathOf(of)}/share?${stretch}`, {})).blob();
  }

  /** Whether a session is recorded; with `change`, starts or ends that. */
  async recording(
    session: string,
    change?: "POST" | "DELETE",
  ): Promise<{ readonly recording: boolean; readonly canChange: boolean }> {
    const init = change === undefined ? {} : { method: change };
    return (await this.request(`/v1/sessions/${encodeURIComponent(session)}/recording`, init)).json();
  }

  /** A picture of what a page shows now. */
  async picture(session: string, signal: AbortSignal): Promise<Blob> {
    return (await this.request(`/v1/sessions/${encodeURIComponent(session)}/picture`, { signal })).blob();
  }

  /** What a page looked like at a moment, or at the last one; undefined when there is no picture of it. */
  async frame(of: TimelineAddress, at: number | "last", signal?: AbortSignal): Promise<Frame | undefined> {
    const init = signal ? { signal } : {};
    try {
      const response = await this.request(
        `${pathOf(of)}/frames?at=${at === "last" ? at : Math.floor(at)}`,
        init,
      );
      return { blob: await response.blob(), at: Number(response.headers.get("x-debug-bridge-at")) };
    } catch (thrown) {
      if (thrown instanceof HubError && thrown.status === 404) return undefined;
      throw thrown;
    }
  }

  /**
   * How the DOM of a page changed around a moment; undefined when that was not recorded. Of the segment that is there
   * already, only what is new.
   */
  async replay(
    of: TimelineAddress,
    at: number | "last",
    known: Pick<ReplayPart, "segment" | "next">,
    signal?: AbortSignal,
  ): Promise<ReplayPart | undefined> {
    const query = new URLSearchParams({
      at: at === "last" ? at : String(Math.floor(at)),
      segment: String(known.segment),
      since: String(known.next),
    });
    try {
      return await this.json<ReplayPart>(`${pathOf(of)}/replay?${query}`, signal);
    } catch (thrown) {
      if (thrown instanceof HubError && thrown.status === 404) return undefined;
      throw thrown;
    }
  }

  /** When something new came last of what a page looks like. The page is watched for some seconds after each call. */
  watch(session: string, signal: AbortSignal): Promise<{ readonly changedAt?: number }> {
    return this.json(`/v1/sessions/${encodeURIComponent(session)}/frames/now`, signal);
  }

  /** What can be read and used in a page now, as lines with refs. */
  outline(session: string, signal: AbortSignal): Promise<{ readonly text: string; readonly isCut: boolean }> {
    return this.json(`/v1/sessions/${encodeURIComponent(session)}/outline`, signal);
  }

  /** Marks an element in the live page; without one, removes the mark. */
  async highlight(session: string, ref?: string): Promise<void> {
    const body = JSON.stringify(ref === undefined ? {} : { target: { ref } });
    await this.request(`/v1/sessions/${encodeURIComponent(session)}/highlight`, { method: "POST", body });
  }

  /** Waits until the person at the page has chosen an element. */
  async pick(session: string, signal: AbortSignal): Promise<PickedElement> {
    const init = { method: "POST", signal };
    return (await this.request(`/v1/sessions/${encodeURIComponent(session)}/pick`, init)).json();
  }

  /** Runs a command in a session; rejects with what the page or the hub says against it. */
  async command<Value>(session: string, command: object): Promise<Value> {
    const response = await this.request(`/v1/sessions/${encodeURIComponent(session)}/commands`, {
      method: "POST",
      body: JSON.stringify(command),
      headers: { "x-debug-bridge-client": "dashboard" },
    });
    const result = (await response.json()) as {
      success: boolean;
      message?: string;
      error?: string;
      value: Value;
    };
    if (!result.success) throw new HubError(result.message ?? result.error ?? "the command failed");
    return result.value ?? (null as Value);
  }

  /** Follows who is connected and which sessions have new records, until the connection ends. */
  followChanges(signal: AbortSignal, onOpen: () => void, onEvent: (event: FeedEvent) => void): Promise<void> {
    return this.follow("/v1/stream?only=changes", signal, onOpen, onEvent);
  }

  /** Calls back when a session has new records; several at once are one call. They are reported with `reportAdded`. */
  followTimeline(session: string, signal: AbortSignal, onAdded: () => void): void {
    const reader = { session, onAdded };
    this.readers.add(reader);
    signal.addEventListener("abort", () => this.readers.delete(reader), { once: true });
  }

  /** Some sessions have new records; all may have when it is not known which. */
  reportAdded(sessions?: readonly string[]): void {
    // When two hubs have a session of the same id, one of them is listed as `ID@HUB`.
    for (const { session, onAdded } of this.readers)
      if (!sessions || sessions.some((id) => id === session || session.startsWith(`${id}@`))) onAdded();
  }

  /** Uses `fetch`: `EventSource` cannot send the token. */
  private async follow<Event>(
    path: string,
    signal: AbortSignal,
    onOpen: () => void,
    onEvent: (event: Event) => void,
  ): Promise<void> {
    const response = await this.request(path, { signal });
    onOpen();
    await readEvents<Event>(response, (events) => {
      for (const event of events) onEvent(event);
    });
  }

  private async json<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return (await (await this.request(path, signal ? { signal } : {})).json()) as Answer;
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    const authorization = this.token ? { authorization: `Bearer ${this.token}` } : {};
    const response = await fetch(path, { ...init, headers: { ...authorization, ...init.headers } });
    if (response.ok) return response;
    const message = await refusalText(response);
    throw UNAUTHORIZED.includes(response.status)
      ? new RefusedError(message)
      : new HubError(message, response.status);
  }
}

function pathOf({ kind, id }: TimelineAddress): string {
  return `/v1/${kind}s/${encodeURIComponent(id)}`;
}
