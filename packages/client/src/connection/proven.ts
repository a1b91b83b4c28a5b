import { type ClientRequestArgs, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { FoundHub } from "./find-hub.js";
import { checkHub } from "./proof.js";
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

/** Sends a request with the token of a hub, after the hub has proved itself on the same connection. */
export async function openAuthorized(
  hub: FoundHub,
  path: string,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const url = `${hub.url}${path}`;
  if (hub.token === undefined) return openResponse(url, options);
  const { background = false } = options;
  const agent = await provenAgent(hub, { background });
  try {
    const headers = { ...options.headers, ...authorization(hub) };
    const response = await openResponse(url, { ...options, headers, agent });
    response.once("close", () => agent.destroy());
    return response;
  } catch (thrown) {
    agent.destroy();
    throw thrown;
  }
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
