import type { HubSettings } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import type { HubState } from "../hub/hub-state.js";
import type { Navigate } from "../layout/route.js";
import { clockTime } from "../session/clock.js";
import { SessionLink } from "./session-link.js";

interface Props {
  readonly settings: HubSettings;
  readonly hub: HubState;
  readonly navigate: Navigate;
  onChange(session: string, type: "acquire_lease" | "release_lease"): void;
}

/** The name under which this page holds a lease. */
const OWN = "dashboard";

/** Who may act on which session, and how to hold or free one. */
export function LeaseTable({ settings, hub, navigate, onChange }: Props): ReactNode {
  const sessions = [...hub.sessions.values()].filter(({ connected, kind }) => connected && kind !== "agent");
  const leases = new Map(settings.leases.map((lease) => [lease.session, lease]));
  return (
    <section aria-labelledby="leases">
      <h3 id="leases">Who may act</h3>
      {settings.readOnly && (
        <p className="warn">
          This hub is read-only: clients can look, but not act. It was started with <code>--read-only</code>.
        </p>
      )}
      {sessions.length === 0 && <p className="quiet">No app, tab or browser is connected.</p>}
      {sessions.length > 0 && (
        <div className="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Session</th>
                <th scope="col">Lease</th>
                <th scope="col">Agents</th>
                <th scope="col">
                  <span className="hidden-text">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session) => {
                const lease = leases.get(session.id);
                return (
                  <tr key={session.id}>
                    <td>
                      <SessionLink session={session} navigate={navigate} />
                    </td>
                    <td>
                      {lease
                        ? `${visibleText(lease.owner)}, until ${clockTime(Date.parse(lease.until))}`
                        : "free: any client may act"}
                    </td>
                    <td>{session.agents}</td>
                    <td>
                      {!lease && !settings.readOnly && (
                        <button type="button" onClick={() => onChange(session.id, "acquire_lease")}>
                          Hold for a minute
                        </button>
                      )}
                      {lease?.owner === OWN && (
                        <button type="button" onClick={() => onChange(session.id, "release_lease")}>
                          Release
                        </button>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <p className="quiet">
        A lease ends when its time is over, when its client releases it, or when its client leaves. Nobody can
        take it from another client.
      </p>
    </section>
  );
}
