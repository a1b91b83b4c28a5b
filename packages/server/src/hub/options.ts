import type { BridgeError, ChatProvider } from "@debug-bridge/protocol";
import type { Bus } from "../bus/bus.js";
import type { NatsBusOptions } from "../bus/nats/nats-bus.js";
import type { Asset, RouteHandler } from "../http/app.js";
import type { LocateSource } from "../http/session/places.js";
import type { ReadSource } from "../http/session/source.js";
import type { RenderPage } from "../pictures/app-picture.js";
import type { BrowserOffer } from "../providers/browsers/browsers.js";
import type { ChromeState } from "../providers/chrome/chrome-connection.js";
import type { ClientMode } from "../relay/wire/client-slot.js";

export interface HubOptions {
  /** Folder for the token, the pairing key, the audit log and recordings; `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string;
  /** Loopback by default; with any other host every role needs the token. */
  readonly host?: string;
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
  /** Whether several CDP clients may be connected to the relay at once, which is the default. */
  readonly clientMode?: ClientMode;
  /** Whether other programs find this hub through the files in its home; on unless it is false. */
  readonly announce?: boolean;
  /** Writes the address for CDP clients to `cdp-url` in the home, unless it is false. */
  readonly writeCdpUrl?: boolean;
  /** Creates a session for every tab that agents may use, unless it is false or `auth` is "none". */
  readonly driveTabs?: boolean;
  /** A file that gets the traffic of the relay as JSON lines. */
  readonly cdpLog?: string;
  /** Connects to a browser that offers remote debugging, without the extension: `auto`, or its address. */
  readonly chrome?: string;
  /** What became of the connection to that browser. */
  readonly onChrome?: (state: ChromeState) => void;
  readonly auth?: "token" | "none";
  readonly allowOrigins?: readonly string[];
  /** Names in lower case by which the hub may be reached, besides loopback ones and the address that it listens on. */
  readonly allowHosts?: readonly string[];
  readonly readOnly?: boolean;
  /** Appends every event to the session's `events.jsonl`. */
  readonly record?: boolean;
  /** Called for everything that is refused; the audit log has it in any case. */
  readonly onRefused?: (what: string, error: BridgeError) => void;
  /** Further roots whose agents are followed, besides the home. */
  readonly agentDirs?: readonly string[];
  /** Files that the hub serves, by path. */
  readonly assets?: ReadonlyMap<string, Asset>;
  /** The agents that people can talk to in chats. */
  readonly chatProviders?: readonly ChatProvider[];
  /** Reads code around a place in a script of a page, for people who look at its errors. */
  readonly readSource?: ReadSource;
  /** Finds where code of a page was written, for the same. */
  readonly locateSource?: LocateSource;
  /** Draws the page of an app that no browser of ours shows; without it such an app has no picture. */
  readonly renderPage?: RenderPage | undefined;
  /** What this hub shares its sessions over with other hubs; nothing by default. */
  readonly bus?: Bus | NatsBusOptions;
  /** Browsers that this hub starts for clients of all hubs of its bus; none by default. */
  readonly browsers?: BrowserOffer | undefined;
  /** Further HTTP routes, by path; they need the token. */
  readonly routes?: ReadonlyMap<string, RouteHandler>;
}

export const DEFAULT_PORTS = { hub: 4000, console: 9223, relay: 19222 } as const;
