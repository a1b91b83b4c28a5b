import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { Hourglass, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import type { HubState } from "../hub/hub-state.js";
import { clockTime } from "../session/clock.js";

/** What the person has to know before everything else. */
export function Banners({ hub }: { readonly hub: HubState }): ReactNode {
  return (
    <>
      {hub.connection === "lost" && (
        <p className="banner lost" role="status">
          <Unplug aria-hidden />
          <span>
            The hub is not reachable since {clockTime(hub.lostAt ?? Date.now())}; what you see is from before.
            Trying again… Start it with <code>debug-bridge up</code>.
          </span>
        </p>
      )}
      {hub.connection !== "refused" && hub.waiting.length > 0 && (
        // Only the person in the browser can answer: any program with the token could press a button here.
        <p className="banner waiting" role="status">
          <Hourglass aria-hidden />
          <span>
            <strong>{visibleText(hub.waiting.join(", "))}</strong> waits: no tab is shared. Open the Debug
            Bridge popup in your browser (its icon shows “?”) and choose this tab, all tabs or no.
          </span>
        </p>
      )}
    </>
  );
}
