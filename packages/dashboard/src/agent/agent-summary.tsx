import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useEffect, useState } from "react";
import type { TimelineAddress } from "../data/timeline-reader.js";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { Navigate } from "../layout/route.js";
import type { AgentRun } from "./agent-run.js";
import { usageText } from "./conversation.js";
import { costOf } from "./model-prices.js";
import { usePrices } from "./set-prices.js";

export interface CompareOptions {
  readonly client: DashboardApi;
  readonly navigate: Navigate;
}

interface Props {
  readonly run: AgentRun;
  readonly timeline: TimelineAddress;
  readonly compare: CompareOptions | undefined;
}

/** What the whole run took, and the other runs that it can be compared with. */
export function AgentSummary({ run, timeline, compare }: Props): ReactNode {
  const others = useOtherRuns(compare?.client, timeline);
  const cost = costOf(run.usages, usePrices());
  if (!run.tokens && others.length === 0) return null;
  return (
    <div className="agent-summary">
      {run.model !== undefined && <span className="tag">{visibleText(run.model)}</span>}
      {run.tokens && (
        <span className="quiet" title={cost === undefined ? undefined : "At the prices in your settings"}>
          In all {usageText(run.tokens, cost)}
        </span>
      )}
      {run.tokens && cost === undefined && compare && (
        <button
          type="button"
          className="link"
          onClick={() => compare.navigate({ view: "settings", text: "" })}
        >
          Set prices to see the cost
        </button>
      )}
      <span className="spacer" />
      {compare && others.length > 0 && (
        <label>
          <span className="hidden-text">Compare with another run</span>
          <select
            value=""
            onChange={({ target: { value } }) =>
              compare.navigate({ timeline, text: "", comparedWith: value })
            }
          >
            <option value="">Compare with…</option>
            {others.map(({ id, title }) => (
              <option key={id} value={id}>
                {visibleText(title)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** The other recorded runs of agents, newest first. */
function useOtherRuns(
  client: DashboardApi | undefined,
  { id }: TimelineAddress,
): readonly { readonly id: string; readonly title: string }[] {
  const [runs, setRuns] = useState<readonly { readonly id: string; readonly title: string }[]>([]);
  // A live agent has the same id with its kind before it.
  const own = id.replace(/^agent:/, "");
  useEffect(() => {
    const controller = new AbortController();
    client?.recordings(controller.signal).then(
      ({ recordings }) =>
        setRuns(
          recordings
            .filter((each) => each.kind === "agent" && each.id !== own)
            .map((each) => ({
              id: each.id,
              title: `${each.name} ${new Date(each.startTime).toLocaleString()}`,
            })),
        ),
      () => {},
    );
    return () => controller.abort();
  }, [client, own]);
  return runs;
}
