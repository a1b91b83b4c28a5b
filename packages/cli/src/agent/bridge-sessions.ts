import { join } from "node:path";
import type { ToolInput } from "@debug-bridge/agent";
import { BridgeError, type CommandInput, fence, truncate } from "@debug-bridge/protocol";
import { homeFolder, readToken } from "@debug-bridge/server";
import { type AgentClient, connect } from "@debug-bridge/server/client";
import { type RunningHub, runningHub } from "../running-hub.js";
import type { BridgeAddress } from "./bridge-tools.js";

interface Summary {
  readonly id: string;
  readonly kind: string;
  readonly connected: boolean;
  readonly url?: string;
  readonly title?: string;
}

const LOG_TYPES = "console,error,unhandledrejection,network,navigation";
/** About as much as an observation may cost. */
const MOST_CHARACTERS = 12_000;

/** The sessions of a hub, as an agent's tools use them. Connections are kept until the end. */
export class BridgeSessions {
  private readonly hub: RunningHub;
  private readonly token: string | undefined;
  private readonly clients = new Map<string, Promise<AgentClient>>();

  constructor(address: BridgeAddress) {
    this.hub = runningHub(address);
    this.token = readToken(join(homeFolder(address.home), "token"));
  }

  async list(): Promise<string> {
    const lines = (await this.all()).map(({ id, kind, connected, url = "", title = "" }) =>
      `${id} ${kind} ${connected ? "connected" : "gone"} ${url} ${title}`.trim(),
    );
    return fence(lines.join("\n") || "none", this.hub.url);
  }

  async observe({ session, ...options }: ToolInput): Promise<string> {
    const { text, version, nextCursor } = await (await this.client(session)).observe(options);
    return `${text}\nversion ${version}${nextCursor ? `; there is more: cursor ${nextCursor}` : ""}`;
  }

  async act({ session, ...command }: ToolInput): Promise<string> {
    const client = await this.client(session);
    const { type, sessionId, origin, timestamp, requestId, ...result } = await client.act(
      command as unknown as CommandInput,
    );
    return fence(truncate(JSON.stringify(result), MOST_CHARACTERS), sessionId);
  }

  async logs({ session, since, types }: ToolInput): Promise<string> {
    const id = await this.choose(session);
    const query = new URLSearchParams({
      since: String(typeof since === "number" ? since : 0),
      types: typeof types === "string" && types !== "" ? types : LOG_TYPES,
    });
    const { events, next } = (await this.hub.get(
      `/v1/sessions/${encodeURIComponent(id)}/events?${query}`,
    )) as {
      events: { sequence: number; type: string; data: unknown }[];
      next: number;
    };
    const lines = events.map(({ sequence, type, data }) => `${sequence} ${type} ${JSON.stringify(data)}`);
    // The newest matter most, and what is left out is before them.
    while (lines.length > 1 && lines.join("\n").length > MOST_CHARACTERS) lines.shift();
    const left = events.length - lines.length;
    const note = left > 0 ? `${left} earlier ones are left out; ` : "";
    return `${fence(truncate(lines.join("\n") || "none", MOST_CHARACTERS), id)}\n${note}go on with since ${next}`;
  }

  close(): void {
    for (const client of this.clients.values()) client.then((one) => one.close()).catch(() => {});
  }

  private async all(): Promise<Summary[]> {
    return ((await this.hub.get("/v1/sessions")) as { sessions: Summary[] }).sessions;
  }

  private async choose(session: unknown): Promise<string> {
    if (typeof session === "string" && session !== "") return session;
    const there = (await this.all()).filter(({ kind, connected }) => connected && kind !== "agent");
    if (there.length === 1) return (there[0] as Summary).id;
    const names = there.map(({ id }) => id).join(", ") || "none is connected";
    throw new BridgeError("session_not_found", `name the session: ${names}`);
  }

  private async client(session: unknown): Promise<AgentClient> {
    const sessionId = await this.choose(session);
    const open = (): Promise<AgentClient> =>
      connect({ hub: this.hub.url, sessionId, name: "run", ...(this.token ? { token: this.token } : {}) });
    const client = this.clients.get(sessionId) ?? open();
    this.clients.set(sessionId, client);
    client.catch(() => this.clients.delete(sessionId));
    return client;
  }
}
