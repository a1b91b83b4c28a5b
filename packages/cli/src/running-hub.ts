import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { DEFAULT_PORTS, homeFolder, readToken } from "@debug-bridge/server";

export interface RunningHub {
  readonly url: string;
  /** Asks the API; throws what the hub answers as an error, or that it is not there. */
  get(path: string): Promise<unknown>;
}

export interface HubAddress {
  readonly hub?: string;
  readonly home?: string;
}

/** The hub that runs at an address, by default the usual one, with the token of this home. */
export function runningHub(address: HubAddress): RunningHub {
  const url = (
    address.hub ??
    process.env.DEBUG_BRIDGE_HUB ??
    `http://127.0.0.1:${DEFAULT_PORTS.hub}`
  ).replace(/\/$/, "");
  const token = readToken(join(homeFolder(address.home), "token"));
  return {
    url,
    async get(path) {
      let response: Response;
      try {
        response = await fetch(`${url}${path}`, {
          headers: token ? { authorization: `Bearer ${token}` } : {},
        });
      } catch {
        throw new BridgeError(
          "app_not_connected",
          `no hub answers at ${url}; start one with: debug-bridge up`,
        );
      }
      const body = (await response.json()) as { error?: { code: string; message: string } };
      if (!response.ok)
        throw BridgeError.fromBody(body.error ?? { message: `the hub answered ${response.status}` });
      return body;
    },
  };
}
