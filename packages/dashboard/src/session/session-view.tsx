import type { SessionSummary } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { AgentPane } from "../agent/agent-pane.js";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { DetailsPane } from "../details/details-pane.js";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { HubState } from "../hub/hub-state.js";
import { type Pane, Panes } from "../layout/panes.js";
import type { Navigate, Route } from "../layout/route.js";
import { PagePane } from "../page/page-pane.js";
import { PastPage } from "../page/past-page.js";
import { ShareButton } from "../share/share-button.js";
import { type Folding, filterQuery } from "./filter/filter.js";
import { FilterBar } from "./filter/filter-bar.js";
import { ExportHar } from "./har/export-har.js";
import { RecordButton } from "./record-button.js";
import { NextError } from "./records/next-error.js";
import { RecordList } from "./records/record-list.js";
import { Scrubber } from "./scrubber/scrubber.js";
import { useRows, useTicks } from "./use-timeline.js";

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  readonly route: Route;
  readonly navigate: Navigate;
  /** What kind of session it is or was, if that is known. */
  readonly kind: string | undefined;
  /** The hub, unless this is a file. */
  readonly live?: LiveParts | undefined;
}

interface LiveParts {
  readonly client: DashboardApi;
  readonly hub: HubState;
  readonly session: SessionSummary | undefined;
}

/** One session, one recording, or one file, on one time axis. */
export function SessionView({ reader, timeline, route, navigate, kind, live }: Props): ReactNode {
  const [folding, setFolding] = useState<Folding>({ isFolded: false, except: [] });
  const [problem, setProblem] = useState<string>();
  const [active, setActive] = useState("records");
  const query = useMemo(() => filterQuery(route, folding).toString(), [route, folding]);
  const isLive = timeline.kind === "session";
  const store = useRows(reader, timeline, query, isLive && route.record === undefined);
  const ticks = useTicks(reader, timeline);
  useEffect(() => {
    if (ticks > 0) store.refresh();
  }, [ticks, store]);

  const select = useCallback(
    (sequence: number, how?: "open") => {
      navigate({ ...route, record: sequence }, "replace");
      if (how === "open") setActive("details");
    },
    [navigate, route],
  );
  const goToTime = useCallback(
    async (at: number) => {
      const asked = new URLSearchParams(query);
      for (const [name, value] of Object.entries({ from: Math.floor(at), offset: 0, limit: 1 }))
        asked.set(name, String(value));
      asked.delete("to");
      const [row] = (await reader.timeline(timeline, asked).catch(() => undefined))?.rows ?? [];
      if (row) select(row.sequence);
    },
    [reader, timeline, query, select],
  );
  const selected = route.record === undefined ? undefined : store.indexOf(route.record);
  const selectedAt = selected === undefined ? undefined : store.row(selected)?.at;
  const session = live?.session;
  const isGone = isLive && live?.hub.connection === "live" && session === undefined;
  return (
    <main className="session-view" data-live={isLive && session?.connected ? "" : undefined}>
      {isGone && (
        <p className="banner lost" role="status">
          This session is no longer in the hub's list. Look for it among the recordings on the first page.
        </p>
      )}
      <Scrubber
        {...{ reader, timeline, ticks, route, navigate, selectedAt }}
        onTime={goToTime}
        isComplete={store.info?.complete}
      />
      <Panes
        active={active}
        onActive={setActive}
        panes={[
          {
            id: "records",
            title: "Records",
            content: (
              <>
                <FilterBar
                  {...{ route, navigate, folding, store }}
                  onFolding={setFolding}
                  errors={
                    <NextError {...{ reader, timeline, query, record: route.record }} onSelect={select} />
                  }
                >
                  {kind !== "agent" && <ExportHar {...{ reader, timeline }} onProblem={setProblem} />}
                  {live && <ShareButton client={live.client} {...{ timeline, route }} />}
                  {live && session && kind !== "agent" && (
                    <RecordButton client={live.client} session={session.id} onProblem={setProblem} />
                  )}
                </FilterBar>
                {problem !== undefined && (
                  <p className="banner" role="alert">
                    {visibleText(problem)}
                  </p>
                )}
                <RecordList
                  {...{ store, folding, route, isLive, reader, timeline }}
                  onFolding={setFolding}
                  onSelect={select}
                />
              </>
            ),
          },
          ...middlePane({ reader, timeline, kind, live, ticks, navigate, selectedAt, onSelect: select }),
          {
            id: "details",
            title: "Details",
            content: <DetailsPane {...{ reader, timeline, route, navigate }} />,
          },
        ]}
      />
    </main>
  );
}

interface MiddleProps extends Pick<Props, "reader" | "timeline" | "kind" | "live" | "navigate"> {
  readonly ticks: number;
  readonly selectedAt: number | undefined;
  onSelect(sequence: number): void;
}

/** The page of a session or a recording, or the conversation of an agent. */
function middlePane(props: MiddleProps): Pane[] {
  const { reader, timeline, kind, live, ticks, navigate, selectedAt, onSelect } = props;
  const { client, session } = live ?? {};
  if (kind === "agent") {
    const steered = client && session && { client, session };
    const compare = client && { client, navigate };
    const content = <AgentPane {...{ reader, timeline, ticks, onSelect, compare }} live={steered} />;
    return [{ id: "page", title: "Conversation", content }];
  }
  if (timeline.kind === "file" && !reader.hasFrames) return [];
  if (timeline.kind !== "session")
    return [{ id: "page", title: "Page", content: <PastPage {...{ reader, timeline, at: selectedAt }} /> }];
  const content = client && session && <PagePane {...{ client, session, ticks, selectedAt }} />;
  return [{ id: "page", title: "Page", content }];
}
