import type { CaptureSwitches, PageHooks } from "@debug-bridge/page/capture";

/** How an app is opened to agents. `url` and `sessionId` are needed, everything else has a default. */
export interface DebugBridgeOptions extends CaptureSwitches, PageHooks {
  /**
   * WebSocket endpoint of the hub, or of several hubs that share a bus: when one is lost, the page continues with the next.
   * `role` and `sessionId` are added where they are missing.
   */
  readonly url: string | readonly string[];
  /** Agents connect to the app by this id. */
  readonly sessionId: string;
  /** `Authorization: Bearer …` goes along as a subprotocol, since browsers send no headers with a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly appName?: string;
  readonly appVersion?: string;
  /** Shows "agent connected" while an agent is attached. On unless false. */
  readonly mark?: boolean;
  /** Connects in production too. Off unless true: everyone who reaches the hub could use the app as its user. */
  readonly allowProduction?: boolean;
}

/** The subprotocol that identifies both sides. */
const SUBPROTOCOL = "debug-bridge.v1";

/**
 * The address with what the hub needs to know; what the app wrote itself stays.
 *
 * @example endpoint("ws://127.0.0.1:4000/debug", "shop") // "ws://127.0.0.1:4000/debug?role=app&sessionId=shop"
 */
export function endpoint(url: string, sessionId: string): string {
  const [address, query] = (url.split("#")[0] as string).split("?");
  const params = new URLSearchParams(query);
  if (!params.has("role")) params.set("role", "app");
  if (!params.has("sessionId")) params.set("sessionId", sessionId);
  return `${address}?${params}`;
}

/** The subprotocols to ask for; a token in the headers becomes one of them. */
export function subprotocols(headers: Readonly<Record<string, string>> = {}): string[] {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "authorization");
  // Base64 padding and slashes are not allowed in a subprotocol's name.
  const token = /^\s*bearer\s+([\w!#$%&'*+.^`|~-]+)\s*$/i.exec(headers[name as string] as string)?.[1];
  return token ? [SUBPROTOCOL, `bearer.${token}`] : [SUBPROTOCOL];
}

/** Throws for what cannot work, with what to do about it. */
export function checkOptions(options: DebugBridgeOptions): void {
  // Only the first address of a list is checked here; the browser reports what is wrong with the others.
  const url = String(options?.url);
  if (!/^wss?:/.test(url))
    throw new TypeError(`createDebugBridge needs url, such as "ws://127.0.0.1:4000/debug", not ${url}`);
  if (typeof options.sessionId !== "string" || options.sessionId === "") {
    throw new TypeError('createDebugBridge needs a sessionId, such as "local-dev"');
  }
}
