import { isIP } from "node:net";
import { BridgeError, isLoopbackName } from "@debug-bridge/protocol";
import { sameToken } from "./token.js";

/** The role of a peer: an app that embeds the SDK, or a client that looks and acts (agents, the API, the dashboard). */
export type Role = "app" | "agent";

export interface GateOptions {
  readonly token: string;
  readonly auth: "token" | "none";
  /** The address that the hub listens on; anything but loopback makes the token mandatory for every role. */
  readonly host: string;
  /** Origins of pages that may connect as apps besides loopback ones. */
  readonly allowOrigins: readonly string[];
  /** Names besides loopback ones by which the hub may be reached. A page cannot make another name lead here. */
  readonly allowHosts?: readonly string[];
}

/** The parts of a request that decide whether it is admitted. */
export interface Request {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** `Sec-WebSocket-Protocol`. */
  readonly protocols: string | undefined;
  readonly queryToken: string | undefined;
}

/**
 * Admits a request or throws what is wrong with it. Every upgrade and every HTTP request passes here: the
 * host first (DNS rebinding), then the origin (foreign pages), then the token.
 */
export function admit(request: Request, role: Role, options: GateOptions): void {
  checkHost(request.host, options);
  checkOrigin(request, role, options);
  if (needsToken(role, options)) checkToken(request, options);
}

/** Checks only the host: enough for files without data (the pages and scripts that the hub serves). */
export function checkHost(host: string | undefined, options: GateOptions): void {
  const name = hostName(host);
  if (name !== undefined && (isLoopbackName(name) || isOwnAddress(name, options))) return;
  throw new BridgeError(
    "forbidden_host",
    `the Host header is ${JSON.stringify(host ?? "")}, which is not a loopback name; use http://127.0.0.1, or start the hub with --host and --allow-host NAME`,
  );
}

/** The address that was asked for; with a wildcard any address, which unlike a name cannot be rebound. */
function isOwnAddress(name: string, { host, allowHosts = [] }: GateOptions): boolean {
  const bare = name.replace(/^\[|\]$/g, "").toLowerCase();
  if (allowHosts.includes(bare)) return true;
  return bare === host || ((host === "0.0.0.0" || host === "::") && isIP(bare) !== 0);
}

function checkOrigin(request: Request, role: Role, options: GateOptions): void {
  const { origin } = request;
  if (origin === undefined) return;
  if (role === "app" && mayBeApp(origin, options)) return;
  if (role === "agent" && origin === `http://${request.host}`) return;
  const advice =
    role === "app"
      ? `start the hub with --allow-origin ${origin} if this page is yours`
      : "agents connect from outside a browser, without an Origin";
  throw new BridgeError("forbidden_origin", `pages of ${origin} may not connect as ${role}; ${advice}`);
}

/** Whether pages of an origin may connect as apps. */
export function mayBeApp(origin: string, { allowOrigins }: GateOptions): boolean {
  return isLoopbackOrigin(origin) || allowOrigins.includes(origin);
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && isLoopbackName(hostname);
}

function needsToken(role: Role, options: GateOptions): boolean {
  if (!isLoopbackName(options.host)) return true;
  return options.auth === "token" && role === "agent";
}

/** Whether a request carries the token. */
export function hasToken(request: Request, { token }: GateOptions): boolean {
  const given = givenToken(request);
  return given !== undefined && sameToken(given, token);
}

function checkToken(request: Request, options: GateOptions): void {
  if (hasToken(request, options)) return;
  const given = givenToken(request);
  throw new BridgeError(
    "auth_required",
    `${given === undefined ? "authentication required" : "the token is wrong"}: send the token from the file "token" in the hub's home (by default ~/.debug-bridge/token) as Authorization: Bearer TOKEN, ?token=TOKEN or the subprotocol bearer.TOKEN`,
  );
}

function givenToken({ authorization, protocols, queryToken }: Request): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];
  const subprotocol = protocols
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name.startsWith("bearer."));
  return bearer ?? subprotocol?.slice("bearer.".length) ?? queryToken;
}

/** `[::1]:4000` and `localhost:4000` without the port. */
function hostName(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:]+\]|[^:]+)(:\d+)?$/i.exec(host ?? "")?.[1];
}
