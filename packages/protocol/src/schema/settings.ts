import type { TabAccess } from "./extension.js";

/** `GET /v1/settings`: what this hub does and lets clients do. Nothing of it can be changed over HTTP. */
export interface HubSettings {
  readonly version: string;
  readonly url: string;
  readonly readOnly: boolean;
  readonly recordsAll: boolean;
  readonly auth: "token" | "none";
  /** What the person chose in the popup, as far as the extension reports it; left out while none is connected. */
  readonly person?: { readonly share: "chosen" | "all"; readonly access: TabAccess };
  /** Tabs that agents may use, and which clients work in them. */
  readonly tabs: readonly {
    readonly title: string;
    readonly url: string;
    readonly access?: TabAccess;
    readonly clients: readonly string[];
  }[];
  /** Who alone may act on which session, until when (ISO 8601). */
  readonly leases: readonly { readonly session: string; readonly owner: string; readonly until: string }[];
  /** What this hub is called on its bus, and the other hubs there; left out without a bus. */
  readonly bus?: { readonly name: string; readonly others: readonly string[] };
  /** The hubs of this home, newest first. */
  readonly hubs: readonly {
    readonly url: string;
    readonly version: string;
    readonly startedAt: string;
    readonly pid: number;
  }[];
}

/** One hub in `GET /v1/browsers`: the browsers that it offers to clients of all hubs of its bus. */
export interface HubBrowsers {
  /** What the hub is called on its bus. */
  readonly name: string;
  /** How many it may have at once. */
  readonly max: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Requests of its own clients that wait for a browser of any hub. */
  readonly waiting: number;
  /** Those in use; each ends at `until` (milliseconds since the epoch) unless its lease is renewed. */
  readonly browsers: readonly {
    readonly session: string;
    readonly leaseMs: number;
    readonly until: number;
  }[];
}
