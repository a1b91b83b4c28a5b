import { BridgeError, type Transport } from "@debug-bridge/protocol";
import { homeFolder } from "../files/home.js";
import { announcedHubs } from "../files/hub-files.js";
import { tokenOf } from "../files/token.js";
import { findProven } from "./proven.js";

export interface HubAddress {
  /**
   * Address of the hub, or several as a list or separated by commas: the first that answers is used.
   * `$DEBUG_BRIDGE_HUB`, else the newest hub of the home.
   */
  readonly hub?: string | readonly string[] | undefined;
  /** `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string | undefined;
  /** The token of the hub; by default that of the home. It is sent only after the hub has proved that it knows it. */
  readonly token?: string | undefined;
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

/**
 * The addresses that were asked for, by an option or by `$DEBUG_BRIDGE_HUB`, the preferred one first.
 *
 * @example requestedHubs({ hub: "http://a:4000, http://b:4000/" }) // ["http://a:4000", "http://b:4000"]
 */
export function requestedHubs({ hub = [] }: HubAddress): string[] {
  const given = [hub].flat().join(",") || process.env.DEBUG_BRIDGE_HUB || "";
  const urls = given.split(",").map((each) => each.trim().replace(/\/+$/, ""));
  return [...new Set(urls)].filter((url) => url !== "");
}

/** The preferred one of the addresses that were asked for. */
export function requestedHub(address: HubAddress): string | undefined {
  return requestedHubs(address)[0];
}

/**
 * All hubs of a home that answer and prove that they know its token, newest first. With addresses, only the hubs there, in
 * that order; they may be unproven, and then they get no token.
 */
export async function findHubs(address: HubAddress = {}, options: FindOptions = {}): Promise<FoundHub[]> {
  const { requested, looks } = lookForHubs(address, options);
  const found = (await Promise.all(looks)).filter((hub) => hub !== undefined);
  return requested ? found : found.filter(({ token }) => token !== undefined);
}

/**
 * The newest hub of a home, or the first of the addresses that answers. A hub that proves itself comes before one that
 * does not. Nobody waits for a hub that is slow to answer when a preferred one has answered.
 */
export async function findHub(
  address: HubAddress = {},
  options: FindOptions = {},
): Promise<FoundHub | undefined> {
  const { requested, looks } = lookForHubs(address, options);
  let unproven: FoundHub | undefined;
  for (const look of looks) {
    const hub = await look;
    if (hub?.token !== undefined) return hub;
    unproven ??= hub;
  }
  return requested ? unproven : undefined;
}

/** Asks all hubs that may be meant at once, the preferred one first. */
function lookForHubs(
  address: HubAddress,
  options: FindOptions,
): { requested: boolean; looks: Promise<FoundHub | undefined>[] } {
  const home = homeFolder(address.home);
  const token = address.token ?? tokenOf(home);
  const announced = announcedHubs(home);
  const requested = requestedHubs(address);
  const urls = requested.length > 0 ? requested : announced.map(({ url }) => url);
  const looks = urls.map(async (url) => {
    const hub = await foundHub(url, token, options);
    const cdpUrl = announced.find((each) => each.url === url)?.cdpUrl;
    return hub && { ...hub, ...(cdpUrl === undefined ? {} : { cdpUrl }) };
  });
  return { requested: requested.length > 0, looks };
}

/** The same, but throws an error with advice when none is found. */
export async function requireHub(address: HubAddress = {}): Promise<FoundHub> {
  const hub = await findHub(address);
  if (hub) return hub;
  throw noHub(address);
}

export function noHub(address: HubAddress): BridgeError {
  const requested = requestedHubs(address);
  const what =
    requested.length === 0
      ? `no hub is running for the home ${homeFolder(address.home)}`
      : `no hub answers at ${requested.join(" or ")}`;
  return new BridgeError("app_not_connected", `${what}; start one with: debug-bridge up`);
}

/** A hub at a known address, with its token if it can prove that it knows it. */
export async function foundHub(
  url: string,
  token: string | undefined,
  options: FindOptions = {},
): Promise<FoundHub | undefined> {
  const health = await findProven(url, token, options);
  if (!health) return undefined;
  return { url, token: health.isProven ? token : undefined, version: health.version };
}
