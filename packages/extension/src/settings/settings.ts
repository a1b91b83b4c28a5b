import { DEFAULT_HUB, type HubAddress, readHubAddress } from "../connection/address.js";
import { type AccessSettings, DEFAULT_ACCESS, parseHost, readAccess } from "./access.js";

/** What the person chose. It is kept when the browser closes. */
export interface Settings {
  readonly hub: HubAddress;
  /** Match patterns of captured sites, in addition to those on this machine. */
  readonly sites: readonly string[];
  readonly access: AccessSettings;
}

/** Until the stored settings are loaded, nobody may act. */
export const SETTINGS_BEFORE_LOAD: Settings = {
  hub: DEFAULT_HUB,
  sites: [],
  access: { ...DEFAULT_ACCESS, mode: "manual", readOnly: true },
};

/** One change by the person. What is not named stays as it is. */
export interface SettingsChange {
  readonly mode?: AccessSettings["mode"];
  readonly readOnly?: boolean;
  readonly visible?: boolean;
  /** The host that agents are locked to; an empty text removes the lock. */
  readonly site?: string;
  readonly hub?: Partial<HubAddress>;
  readonly addSite?: string;
  readonly removeSite?: string;
}

/** Reads stored settings of any shape. `initialHub` is the hub that the extension was installed for. */
export function readSettings(
  stored: Readonly<Record<string, unknown>>,
  initialHub: HubAddress = DEFAULT_HUB,
): Settings {
  const { hub, sites, access } = stored;
  return {
    hub: readHubAddress(hub, initialHub),
    sites: Array.isArray(sites) ? sites.filter((site) => typeof site === "string") : [],
    access: readAccess(access),
  };
}

/** The settings after a change. Invalid parts of the change are ignored. */
export function applyChange(settings: Settings, change: SettingsChange): Settings {
  const { hub, sites, access } = settings;
  const { mode, readOnly, visible, site, addSite, removeSite } = change;
  const kept = sites.filter((each) => each !== removeSite && each !== addSite);
  return {
    hub: change.hub ? readHubAddress({ ...hub, ...change.hub }, hub) : hub,
    sites: addSite === undefined ? kept : [...kept, addSite],
    access: readAccess({
      mode: mode ?? access.mode,
      readOnly: readOnly ?? access.readOnly,
      visible: visible ?? access.visible,
      site:
        site === undefined ? access.site : site.trim() === "" ? undefined : (parseHost(site) ?? access.site),
    }),
  };
}
