import { readFileSync } from "node:fs";
import { type ClientRequest, get } from "node:http";
import { join } from "node:path";
import { isAlive } from "@debug-bridge/journal";

const TRY_AGAIN_AFTER_MS = 1_000;

/** An event of any session, as a hub tells it. */
export interface HubEvent {
  readonly type: string;
  readonly session: string;
  readonly data: unknown;
}

/** Where the hub of a home is, when one runs: `$DEBUG_BRIDGE_HUB`, else what the hub itself wrote. */
export function runningHubUrl(root: string): string | undefined {
  if (process.env.DEBUG_BRIDGE_HUB) return process.env.DEBUG_BRIDGE_HUB;
  try {
    const { url, pid } = JSON.parse(readFileSync(join(root, "hub.json"), "utf8")) as {
      url: unknown;
      pid: unknown;
    };
    return typeof url === "string" && typeof pid === "number" && isAlive({ pid }) ? url : undefined;
  } catch {
    return undefined;
  }
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
    const url = runningHubUrl(this.root);
    if (url === undefined) return;
    const token = readToken(this.root);
    const query = new URLSearchParams({ types: this.types, since: String(this.since) });
    const request = get(`${url.replace(/\/$/, "")}/v1/stream?${query}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    this.request = request;
    const again = (): void => {
      if (this.request !== request) return;
      this.request = undefined;
      this.since = Date.now();
      this.timer = setTimeout(() => this.connect(), TRY_AGAIN_AFTER_MS);
      this.timer.unref();
    };
    request.on("socket", (socket) => socket.unref());
    request.on("error", again);
    request.on("response", (response) => {
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data:")) this.take(line.slice(5));
      });
      response.on("error", again);
      response.on("close", again);
    });
  }

  private take(json: string): void {
    try {
      const { type, sessionId, data } = JSON.parse(json) as {
        type?: unknown;
        sessionId?: unknown;
        data?: unknown;
      };
      if (typeof type === "string" && typeof sessionId === "string")
        this.notice({ type, session: sessionId, data });
    } catch {
      // A line that is no record says nothing.
    }
  }
}

function readToken(root: string): string | undefined {
  try {
    return readFileSync(join(root, "token"), "utf8").trim();
  } catch {
    return undefined;
  }
}
