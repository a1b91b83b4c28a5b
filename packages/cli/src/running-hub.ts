import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { announcedHub, DEFAULT_PORTS, homeFolder, readToken } from "@debug-bridge/server";

export interface RunningHub {
  readonly url: string;
  /** Asks the API; throws what the hub answers as an error, or that it is not there. */
  get(path: string): Promise<unknown>;
  /** The same with something to send, as JSON. */
  post(path: string, body: unknown): Promise<unknown>;
  /** Opens a stream of server-sent events. */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Whether a hub answers at all. */
  isThere(): Promise<boolean>;
}

export interface HubAddress {
  readonly hub?: string;
  readonly home?: string;
}

/** The hub that runs at an address, by default that of this home or the usual one, with the token of this home. */
export function runningHub(address: HubAddress): RunningHub {
  const home = homeFolder(address.home);
  const url = (
    address.hub ??
    process.env.DEBUG_BRIDGE_HUB ??
    announcedHub(home) ??
    `http://127.0.0.1:${DEFAULT_PORTS.hub}`
  ).replace(/\/$/, "");
  const token = readToken(join(home, "token"));
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(`${url}${path}`, { headers, ...init }).catch(() => {
      throw new BridgeError("app_not_connected", `no hub answers at ${url}; start one with: debug-bridge up`);
    });
    if (response.ok) return response;
    const body = (await response.json()) as { error?: { code: string; message: string } };
    throw BridgeError.fromBody(body.error ?? { message: `the hub answered ${response.status}` });
  };
  return {
    url,
    get: async (path) => (await ask(path)).json(),
    post: async (path, body) => (await ask(path, { method: "POST", body: JSON.stringify(body) })).json(),
    stream: async (path, signal) => (await ask(path, { signal })).body as ReadableStream<Uint8Array>,
    isThere: () =>
      ask("/healthz").then(
        () => true,
        () => false,
      ),
  };
}
