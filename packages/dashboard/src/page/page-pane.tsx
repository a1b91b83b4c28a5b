import type { SessionSummary } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { Outline } from "./outline.js";
import { PastPage } from "./past-page.js";
import { PickButton } from "./pick-button.js";
import { LiveReplay, Picture } from "./picture.js";
import { useHighlight } from "./use-highlight.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: SessionSummary;
  /** Counts up with new records. */
  readonly ticks: number;
  /** When the selected record happened. */
  readonly selectedAt: number | undefined;
}

/**
 * What the page shows now, and what can be read and used in it. With a record selected, what the page showed then, if there
 * is a picture.
 */
export function PagePane({ client, session, ticks, selectedAt }: Props): ReactNode {
  const [isAllowed, setAllowed] = useState(session.kind !== "tab");
  const [problem, setProblem] = useState<string>();
  const point = useHighlight(client, session.id);
  if (!session.connected)
    return (
      <>
        <p className="state">The page is no longer connected.</p>
        <PastPage reader={client} timeline={{ kind: "session", id: session.id }} at={selectedAt} />
      </>
    );
  if (!isAllowed)
    return (
      <div className="state">
        <p>Looking at a tab attaches Chrome's debugger to it; Chrome shows a bar that says so.</p>
        <button type="button" onClick={() => setAllowed(true)}>
          Look at this tab
        </button>
      </div>
    );
  const act = (ref: string): void => {
    setProblem(undefined);
    client
      .command(session.id, { type: "click", target: { ref } })
      .catch((thrown: Error) => setProblem(thrown.message));
  };
  return (
    <div className="page-pane">
      {problem !== undefined && (
        <p className="banner" role="alert">
          {visibleText(problem)}
        </p>
      )}
      {session.kind === "app" ? (
        <LiveReplay client={client} session={session.id} at={selectedAt} />
      ) : (
        <Picture client={client} session={session.id} at={selectedAt} />
      )}
      {selectedAt !== undefined && <p className="quiet note">What can be read and used now:</p>}
      <PickButton client={client} session={session.id} />
      <Outline client={client} session={session.id} ticks={ticks} onAct={act} onPoint={point} />
    </div>
  );
}
