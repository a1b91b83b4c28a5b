import type { HubBrowsers, SessionSummary } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import type { Navigate } from "../layout/route.js";
import { clockTime } from "../session/clock.js";
import { SessionLink } from "./session-link.js";

interface Props {
  readonly hubs: readonly HubBrowsers[];
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  readonly navigate: Navigate;
}

/** The browsers that this hub and the others of its bus start for clients, and those in use. */
export function BrowserTable({ hubs, sessions, navigate }: Props): ReactNode {
  const offering = hubs.filter(({ max }) => max > 0);
  const waiting = hubs.reduce((sum, hub) => sum + hub.waiting, 0);
  return (
    <section aria-labelledby="browsers">
      <h3 id="browsers">Browsers for clients</h3>
      {offering.length === 0 && (
        <p className="quiet">
          No hub offers any. Start one with <code>debug-bridge up --browsers 2</code>.
        </p>
      )}
      {waiting > 0 && (
        <p className="warn">
          {waiting === 1 ? "1 request waits" : `${waiting} requests wait`} for a free browser.
        </p>
      )}
      {offering.length > 0 && (
        <div className="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Hub</th>
                <th scope="col">Labels</th>
                <th scope="col">In use</th>
                <th scope="col">Sessions</th>
              </tr>
            </thead>
            <tbody>
              {offering.map(({ name, labels, max, browsers }) => (
                <tr key={name}>
                  <td>{visibleText(name) || "this hub"}</td>
                  <td>{visibleText(labelText(labels)) || "none"}</td>
                  <td>
                    {browsers.length} of {max}
                  </td>
                  <td>
                    {browsers.length === 0 && <span className="quiet">none</span>}
                    {browsers.map(({ session, until }) => {
                      const known = sessions.get(session);
                      return (
                        <div key={session}>
                          {known ? <SessionLink session={known} navigate={navigate} /> : visibleText(session)}
                          , until {clockTime(until)}
                        </div>
                      );
                    })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="quiet">
        A browser ends at its time unless its client renews the lease:{" "}
        <code>debug-bridge browsers --help</code>.
      </p>
    </section>
  );
}

const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
