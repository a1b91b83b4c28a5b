import type { HubSettings } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { accessText } from "../session/session-name.js";

/** What the person shares with agents. Only the popup changes it: every agent has the token of this page. */
export function SharedTabs({ settings: { person, tabs } }: { readonly settings: HubSettings }): ReactNode {
  return (
    <section aria-labelledby="shared-tabs">
      <h3 id="shared-tabs">What your Chrome shares</h3>
      {person ? (
        <p>
          {person.share === "all" ? "All tabs are shared." : "Tabs are shared one by one."} Beyond them:{" "}
          {accessText(person.access)}.
        </p>
      ) : (
        <p className="quiet">The extension is not connected, so no tab of your Chrome is shared.</p>
      )}
      {tabs.length > 0 && (
        <div className="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Tab</th>
                <th scope="col">Access</th>
                <th scope="col">Agents in it</th>
              </tr>
            </thead>
            <tbody>
              {tabs.map(({ title, url, access, clients }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two tabs may show the same
                <tr key={index}>
                  <td title={visibleText(url)}>{visibleText(title || url)}</td>
                  <td>{access ? accessText(access) : "shared"}</td>
                  <td>{clients.length === 0 ? "none" : visibleText(clients.join(", "))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="quiet">
        Change it in the popup of the extension. This page cannot: every agent that has the token could then
        share your tabs with itself.
      </p>
    </section>
  );
}
