import { readFileSync } from "node:fs";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { runningHubUrl } from "./hub-url.js";

const TRY_AGAIN_AFTER_MS = 1_000;
const ANSWERS_WITHIN_MS = 1_000;

/** An event of any session, as a hub tells it. */
export interface HubEvent {
  readonly type: string;
  readonly session: string;
  readonly data: unknown;
}

/**
 * Listens to a running hub for events that breakpoints wait for, over one stream. It does not keep the process alive,
 * and comes back when the hub does; what happened meanwhile is not missed as long as the hub still has it.
 */
export class HubEvents {
  private types = "";
  private since = 0;
  private request: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly root: string,
    private readonly notice: (event: HubEvent) => void,
  ) {}

  /** Listens for events of these types from now on; for none, not at all. */
  listen(types: Iterable<string>): void {
    const wanted = [...new Set(types)].sort().join(",");
    if (wanted === this.types) return;
    this.close();
    this.types = wanted;
    this.since = Date.now();
    if (wanted !== "") this.connect();
  }

  close(): void {
    this.types = "";
    clearTimeout(this.timer);
    this.request?.destroy();
    this.request = undefined;
  }

  private connect(): void {
    const request = openStream(this.root, this.types, this.since);
    this.request = request;
    if (!request) {
      this.connectLater();
      return;
    }
    const again = (): void => {
      if (this.request !== request) return;
      this.request = undefined;
      this.since = Date.now();
      this.connectLater();
    };
    request.on("socket", (socket) => socket.unref());
    request.on("error", again);
    request.on("response", (response) => {
      eachRecord(response, ({ event }) => event && this.notice(event));
      response.on("error", again);
      response.on("close", again);
    });
  }

  private connectLater(): void {
    this.timer = setTimeout(() => this.connect(), TRY_AGAIN_AFTER_MS);
    this.timer.unref();
  }
}

/** The events of these types that the hub has had since a time; none when it does not answer at once. */
export function readHubEvents(root: string, types: readonly string[], since: number): Promise<HubEvent[]> {
  const events: HubEvent[] = [];
  const request = openStream(root, [...new Set(types)].join(","), since);
  if (!request) return Promise.resolve(events);
  return new Promise((resolve) => {
    const timer = setTimeout(() => request.destroy(), ANSWERS_WITHIN_MS);
    const finish = (): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(events);
    };
    request.on("error", finish);
    request.on("close", finish);
    request.on("response", (response) => {
      response.on("error", finish);
      eachRecord(response, ({ type, event }) => {
        if (type === "caught_up") finish();
        else if (event) events.push(event);
      });
    });
  });
}

function openStream(root: string, types: string, since: number): ClientRequest | undefined {
  const url = runningHubUrl(root);
  if (url === undefined) return undefined;
  const token = readToken(root);
  const query = new URLSearchParams({ types, since: String(since) });
  try {
    return get(`${url.replace(/\/$/, "")}/v1/stream?${query}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  } catch {
    // An address that is none, or a token that no header can hold: as if no hub ran.
    return undefined;
  }
}

/** Reads a stream of server-sent events, whose data are records. */
function eachRecord(
  response: IncomingMessage,
  take: (record: { type: string; event: HubEvent | undefined }) => void,
): void {
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const record = line.startsWith("data:") ? parse(line.slice(5)) : undefined;
      if (record) take(record);
    }
  });
}

function parse(json: string): { type: string; event: HubEvent | undefined } | undefined {
  try {
    const { type, sessionId, data } = JSON.parse(json) as Record<string, unknown>;
    if (typeof type !== "string") return undefined;
    return { type, event: typeof sessionId === "string" ? { type, session: sessionId, data } : undefined };
  } catch {
    return undefined;
  }
}

function readToken(root: string): string | undefined {
  try {
    return readFileSync(join(root, "token"), "utf8").trim();
  } catch {
    return undefined;
  }
}
