import { BridgeError, type Transport } from "@debug-bridge/protocol";
import { homeFolder } from "../files/home.js";
import { announcedHubs } from "../files/hub-files.js";
import { tokenOf } from "../files/token.js";
import { checkHub } from "./proof.js";

export interface HubAddress {
  /** Address of the hub; `$DEBUG_BRIDGE_HUB`, else the newest hub of the home. */
  readonly hub?: string | undefined;
  /** `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string | undefined;
}

/** A hub that answers. */
export interface FoundHub {
  readonly url: string;
  /** Only for a hub that has proved that it knows the token; nobody else gets it. */
  readonly token: string | undefined;
  readonly version: string;
  readonly cdpUrl?: string | undefined;
  /** Joins a session of a hub that runs in this process, without a socket between them. */
  readonly joinAsAgent?: (session: JoinedSession) => Transport;
}

interface JoinedSession {
  readonly sessionId: string;
  readonly name: string | undefined;
}

export interface FindOptions {
  /** Does not keep the process alive. */
  readonly background?: boolean;
}

/** The address that was asked for, by an option or by `$DEBUG_BRIDGE_HUB`. */
export function requestedHub({ hub }: HubAddress): string | undefined {
  const url = hub || process.env.DEBUG_BRIDGE_HUB;
  return url ? url.replace(/\/+$/, "") : undefined;
}

/**
 * All hubs of a home that answer and prove that they know its token, newest first. With an address, only the hub there;
 * it may be unproven, and then it gets no token.
 */
export async function findHubs(address: HubAddress = {}, options: FindOptions = {}): Promise<FoundHub[]> {
  const home = homeFolder(address.home);
  const token = tokenOf(home);
  const hubs = announcedHubs(home);
  const requested = requestedHub(address);
  if (requested !== undefined) {
    const cdpUrl = hubs.find(({ url }) => url === requested)?.cdpUrl;
    const found = await foundHub(requested, token, options);
    return found ? [{ ...found, ...(cdpUrl === undefined ? {} : { cdpUrl }) }] : [];
  }
  const found = await Promise.all(
    hubs.map(async ({ url, cdpUrl }) => {
      const hub = await foundHub(url, token, options);
      return hub?.token === undefined ? [] : [{ ...hub, ...(cdpUrl === undefined ? {} : { cdpUrl }) }];
    }),
  );
  return found.flat();
}

/** The newest hub of a home, or the one at the address. */
export async function findHub(
  address: HubAddress = {},
  options: FindOptions = {},
): Promise<FoundHub | undefined> {
  return (await findHubs(address, options))[0];
}

/** The same, but throws an error with advice when none is found. */
export async function requireHub(address: HubAddress = {}): Promise<FoundHub> {
  const hub = await findHub(address);
  if (hub) return hub;
  throw noHub(address);
}

export function noHub(address: HubAddress): BridgeError {
  const requested = requestedHub(address);
  const what =
    requested === undefined
      ? `no hub is running for the home ${homeFolder(address.home)}`
      : `no hub answers at ${requested}`;
  return new BridgeError("app_not_connected", `${what}; start one with: debug-bridge up`);
}

/** A hub at a known address, with its token if it can prove that it knows it. */
export async function foundHub(
  url: string,
  token: string | undefined,
  options: FindOptions = {},
): Promise<FoundHub | undefined> {
  const health = await checkHub(url, token, options);
  if (!health) return undefined;
  return { url, token: health.isProven ? token : undefined, version: health.version };
}
