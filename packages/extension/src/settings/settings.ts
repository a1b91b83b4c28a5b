import type { Grant, TabAccess } from "@debug-bridge/protocol";
import { DEFAULT_HUB, type HubAddress, readHubAddress, readOtherHubs } from "../connection/address.js";
import type { ExtensionConfig } from "../connection/config.js";
import { FULL_ACCESS, readAccess, type Share } from "./access.js";
import { addGrant, type ClientGrants, readGrants } from "./client-grants.js";

/** What the person chose. It is kept when the browser closes. */
export interface Settings {
  readonly hub: HubAddress;
  /** Fallback hubs, used when the connection to that one is lost. */
  readonly otherHubs: readonly HubAddress[];
  /** Match patterns of captured sites, in addition to those on this machine. */
  readonly sites: readonly string[];
  readonly share: Share;
  /** The access of tabs that are shared from now on; with `share: "all"`, of all tabs that have none of their own. */
  readonly access: TabAccess;
  /** Whether a cursor and a tab group show where agents work. */
  readonly visible: boolean;
  /** What the person always allows a client, beyond its tabs. */
  readonly grants: ClientGrants;
  /** This copy was made for automation, and the person did not choose otherwise: clients need no grants. */
  readonly automation: boolean;
}

type Installed = Pick<ExtensionConfig, "hub" | "otherHubs" | "share">;

export const DEFAULT_INSTALLED: Installed = { hub: DEFAULT_HUB, otherHubs: [], share: "chosen" };

/** Until the stored settings are loaded, nobody may act. */
export const SETTINGS_BEFORE_LOAD: Settings = {
  ...{ hub: DEFAULT_HUB, otherHubs: [], sites: [], share: "chosen", access: { level: "read-only" } },
  ...{ visible: true, grants: {}, automation: false },
};

/** One change by the person. What is not named stays as it is. */
export interface SettingsChange {
  readonly share?: Share;
  readonly access?: TabAccess;
  readonly visible?: boolean;
  readonly grant?: { readonly client: string; readonly grant: Grant };
  /** Takes back everything that this client was allowed. */
  readonly forgetClient?: string;
  readonly hub?: Partial<HubAddress>;
  readonly otherHubs?: readonly HubAddress[];
  readonly addSite?: string;
  readonly removeSite?: string;
}

/** Reads stored settings of any shape. */
export function readSettings(
  stored: Readonly<Record<string, unknown>>,
  installed: Installed = DEFAULT_INSTALLED,
): Settings {
  const { hub, otherHubs, sites, share, access, visible, grants } = stored;
  const chosen = share === "chosen" || share === "all" ? share : undefined;
  return {
    hub: readHubAddress(hub, installed.hub),
    otherHubs: Array.isArray(otherHubs) ? readOtherHubs(otherHubs) : installed.otherHubs,
    sites: Array.isArray(sites) ? sites.filter((site) => typeof site === "string") : [],
    share: chosen ?? installed.share,
    access: readAccess(access, FULL_ACCESS),
    visible: visible !== false,
    grants: readGrants(grants),
    automation: chosen === undefined && installed.share === "all",
  };
}

/** The settings after a change. Invalid parts of the change are ignored. */
export function applyChange(settings: Settings, change: SettingsChange): Settings {
  const { hub, sites } = settings;
  const { share, access, visible, grant, forgetClient, addSite, removeSite } = change;
  const kept = sites.filter((each) => each !== removeSite && each !== addSite);
  const { [forgetClient ?? ""]: _forgotten, ...grants } = settings.grants;
  return {
    hub: change.hub ? readHubAddress({ ...hub, ...change.hub }, hub) : hub,
    otherHubs: change.otherHubs ? readOtherHubs(change.otherHubs) : settings.otherHubs,
    sites: addSite === undefined ? kept : [...kept, addSite],
    share: share ?? settings.share,
    access: access === undefined ? settings.access : readAccess(access, settings.access),
    visible: visible ?? settings.visible,
    grants: grant ? addGrant(grants, grant.client, grant.grant) : grants,
    automation: settings.automation && share === undefined,
  };
}
