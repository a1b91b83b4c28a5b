import type { HubSettings } from "@debug-bridge/protocol";
import { exactTime, timeAgo } from "@debug-bridge/ui/text/time.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";

/** This hub, what it was started with, and the others of its home. */
export function HubTable({ settings }: { readonly settings: HubSettings }): ReactNode {
  const { url, version, recordsAll, readOnly, auth, hubs, bus } = settings;
  const options = [
    recordsAll ? "records every session" : "records the sessions that you choose",
    readOnly ? "read-only" : "clients may act",
    auth === "token" ? "agents need the token" : "agents need no token (--auth none)",
  ];
  return (
    <section aria-labelledby="hubs">
      <h3 id="hubs">Hubs of this home</h3>
      <p>
        This hub is version {visibleText(version)}: {options.join(", ")}.
      </p>
      {bus && (
        <p>
          On its bus it is called <strong>{visibleText(bus.name)}</strong>
          {bus.others.length === 0
            ? ", and no other hub is there."
            : `; the other hubs there are ${bus.others.map(visibleText).join(", ")}.`}
        </p>
      )}
      <div className="table">
        <table>
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col">Version</th>
              <th scope="col">Started</th>
              <th scope="col">Process</th>
            </tr>
          </thead>
          <tbody>
            {hubs.map((hub) => (
              <tr key={hub.url}>
                <td>
                  {visibleText(hub.url)}
                  {hub.url === url && <span className="quiet"> this one</span>}
                </td>
                <td>{visibleText(hub.version)}</td>
                <td title={exactTime(hub.startedAt)}>{agoText(hub.startedAt)}</td>
                <td>{hub.pid}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet">
        All clients of a home use one token. <code>debug-bridge token rotate</code> replaces it and
        disconnects everybody who has the old one.
      </p>
    </section>
  );
}

const agoText = (time: string): string => {
  const text = timeAgo(time);
  return text === "now" ? text : `${text} ago`;
};
