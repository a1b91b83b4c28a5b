import { announcedHubs } from "@debug-bridge/client/files";
import type { HubSettings } from "@debug-bridge/protocol";
import { Hono } from "hono";
import { asWallTime, steadyNow } from "../../bounds/steady-clock.js";
import type { PersonSettings } from "../../dispatch/policy.js";
import type { TabSummary } from "../../relay/tabs/tab-usage.js";
import type { GateOptions } from "../../security/gate.js";
import type { Sessions } from "../../sessions/registry.js";
import type { OtherHubs } from "./other-hubs.js";

/** What the person shares, as the relay knows it. */
interface SharedTabsPort {
  /** The settings of the popup; nothing while no extension is connected. */
  person(): PersonSettings | undefined;
  tabs(): readonly TabSummary[];
}

export interface SettingsPort {
  readonly home: string;
  readonly url: string;
  readonly gate: GateOptions;
  readonly sessions: Sessions;
  readonly shared: SharedTabsPort;
  readonly version: string;
  readonly readOnly: boolean;
  readonly recordsAll: boolean;
  readonly others?: Pick<OtherHubs, "names"> | undefined;
}

/** `/v1/settings`: to be looked at. Only the popup, and who starts the hub, decide. */
export function settingsRoutes(port: SettingsPort): Hono {
  const api = new Hono();
  api.get("/settings", (c) => c.json(settingsOf(port)));
  return api;
}

function settingsOf(port: SettingsPort): HubSettings {
  const { home, url, gate, sessions, shared, version, readOnly, recordsAll, others } = port;
  const person = shared.person();
  return {
    ...{ version, url, readOnly, recordsAll, auth: gate.auth },
    ...(person ? { person: { share: person.share, access: person.access } } : {}),
    tabs: shared.tabs().map(({ title, url: address, access, clients }) => ({
      ...{ title, url: address, clients },
      ...(access ? { access } : {}),
    })),
    leases: sessions.all().flatMap((session) => {
      const lease = session.dispatcher.lease.current(steadyNow());
      return lease
        ? [
            {
              session: session.id,
              owner: lease.owner,
              until: new Date(asWallTime(lease.until)).toISOString(),
            },
          ]
        : [];
    }),
    ...(others ? { bus: others.names() } : {}),
    // Their addresses for CDP clients hold the token, and stay in the files.
    hubs: announcedHubs(home).map(({ url: address, version: running, startedAt, pid }) => ({
      ...{ url: address, version: running, startedAt, pid },
    })),
  };
}
