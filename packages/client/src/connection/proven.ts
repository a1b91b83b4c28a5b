import { type ClientRequestArgs, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { FoundHub } from "./find-hub.js";
import { checkHub, type HubHealth } from "./proof.js";
import { openResponse, type RequestOptions, readResponse, type TextResponse, UNPROVEN } from "./request.js";

type OnCreated = (error: Error | null, socket?: Duplex) => void;
type CreateConnection = (options: ClientRequestArgs, done: OnCreated) => Duplex | undefined;

/**
 * An agent for one connection and never another. A hub proves itself on it, and then gets the token on the same
 * connection: a program that takes the hub's port in between gets neither.
 */
export async function provenAgent(
  hub: FoundHub,
  options: { readonly background?: boolean } = {},
): Promise<HttpAgent> {
  const agent = oneConnection(hub.url);
  const health = await checkHub(hub.url, hub.token, { ...options, agent });
  if (health?.isProven) return agent;
  agent.destroy();
  throw Object.assign(new Error(`the program at ${hub.url} is not the hub of this home`), { code: UNPROVEN });
}

/**
 * Asks a hub who it is, as `checkHub`. The connection on which it proved itself is kept for the next request: many clients look for
 * another hub at the same moment when theirs was lost.
 */
export async function findProven(
  url: string,
  token: string | undefined,
  options: { readonly background?: boolean } = {},
): Promise<HubHealth | undefined> {
  const agent = oneConnection(url);
  const health = await checkHub(url, token, { ...options, agent });
  if (health?.isProven) keepIdle({ url, token }, agent);
  else agent.destroy();
  return health;
}

/** Sends a request with the token of a hub, after the hub has proved itself on the same connection. */
export async function openAuthorized(
  hub: FoundHub,
  path: string,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const url = `${hub.url}${path}`;
  if (hub.token === undefined) return openResponse(url, options);
  const { background = false } = options;
  const sent = { ...options, headers: { ...options.headers, ...authorization(hub) } };
  const idle = reuseIdle(hub);
  if (idle) {
    try {
      return await openOn(idle, hub, url, sent);
    } catch (thrown) {
      // Its connection ended meanwhile, and nothing was sent.
      if ((thrown as NodeJS.ErrnoException).code !== UNPROVEN) throw thrown;
    }
  }
  return openOn(await provenAgent(hub, { background }), hub, url, sent);
}

async function openOn(
  agent: HttpAgent,
  hub: FoundHub,
  url: string,
  options: RequestOptions,
): Promise<IncomingMessage> {
  try {
    const response = await openResponse(url, { ...options, agent });
    response.once("close", () => (response.complete ? keepIdle(hub, agent) : agent.destroy()));
    return response;
  } catch (thrown) {
    agent.destroy();
    throw thrown;
  }
}

/** Shorter than a hub keeps a connection that nobody uses, so that no request is sent on one that just ended. */
const MAX_IDLE_MS = 2_000;
interface Idle {
  readonly agent: HttpAgent;
  /** Ends the connection, unless it is used before. */
  readonly timer: NodeJS.Timeout;
}

/** Connections on which a hub proved itself, for the next requests. */
const idleAgents = new Map<string, Idle[]>();
type Proven = Pick<FoundHub, "url" | "token">;
const keyOf = ({ url, token }: Proven): string => `${url} ${token}`;

function reuseIdle(hub: FoundHub): HttpAgent | undefined {
  const key = keyOf(hub);
  const taken = idleAgents.get(key)?.at(-1);
  if (taken) forget(key, taken);
  return taken?.agent;
}

function keepIdle(hub: Proven, agent: HttpAgent): void {
  const key = keyOf(hub);
  const timer = setTimeout(() => {
    forget(key, idle);
    agent.destroy();
  }, MAX_IDLE_MS).unref();
  const idle = { agent, timer };
  idleAgents.set(key, [...(idleAgents.get(key) ?? []), idle]);
}

function forget(key: string, idle: Idle): void {
  clearTimeout(idle.timer);
  const left = (idleAgents.get(key) ?? []).filter((each) => each !== idle);
  if (left.length > 0) idleAgents.set(key, left);
  else idleAgents.delete(key);
}

/** The same, and reads the whole answer as text. */
export async function requestAuthorized(
  hub: FoundHub,
  path: string,
  options: RequestOptions = {},
): Promise<TextResponse> {
  return readResponse(await openAuthorized(hub, path, options), options);
}

/** Headers of a request that needs the token. */
export function authorization({ token }: Pick<FoundHub, "token">): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function oneConnection(url: string): HttpAgent {
  const options = { keepAlive: true, maxSockets: 1 };
  const agent = url.startsWith("https:") ? new HttpsAgent(options) : new HttpAgent(options);
  const own = agent as unknown as { createConnection: CreateConnection };
  const create = own.createConnection.bind(agent);
  let isUsed = false;
  own.createConnection = (args, done) => {
    if (!isUsed) {
      isUsed = true;
      return create(args, done);
    }
    const error = Object.assign(new Error("the connection on which the hub proved itself has ended"), {
      code: UNPROVEN,
    });
    process.nextTick(done, error);
    return undefined;
  };
  return agent;
}
