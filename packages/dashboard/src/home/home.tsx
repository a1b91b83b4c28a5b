import type { RecordingSummary, SessionSummary } from "@debug-bridge/protocol";
import { type ReactNode, useEffect, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { HubState } from "../hub/hub-state.js";
import type { Navigate } from "../layout/route.js";
import { hubOf } from "../session/session-name.js";
import { FirstSteps } from "./first-steps.js";
import { RecordingTable } from "./recording-table.js";
import { SessionCard } from "./session-card.js";

interface Props {
  readonly client: DashboardApi;
  readonly hub: HubState;
  readonly navigate: Navigate;
  /** How to open a recording that is a file. */
  readonly children: ReactNode;
}

const REFRESH_MS = 5_000;

/** What is connected now, and what was recorded. */
export function Home({ client, hub, navigate, children }: Props): ReactNode {
  const [query, setQuery] = useState("");
  const { recordings, omitted, problem } = useRecordings(client);
  const matches = (...texts: (string | undefined)[]): boolean =>
    texts.join(" ").toLowerCase().includes(query.trim().toLowerCase());
  const sessions = [...hub.sessions.values()];
  const found = sessions.filter(({ id, appName, title, url, kind, hubName }) =>
    matches(id, appName, title, url, kind, hubName),
  );
  const card = (session: SessionSummary): ReactNode => (
    <SessionCard key={session.id} {...{ client, session, navigate }} hubName={hubOf(session, sessions)} />
  );
  const live = found.filter(({ connected }) => connected);
  const ended = found.filter(({ connected }) => !connected);
  const shownRecordings = recordings.filter(({ id, name, kind, agent }) => matches(id, name, kind, agent));
  const isEmpty = hub.connection === "live" && !sessions.some(({ connected }) => connected);
  // Once shown, it stays: its lights show that a step worked.
  const [isTaught, setTaught] = useState(false);
  if (isEmpty && !isTaught) setTaught(true);
  if (hub.connection === "connecting")
    return (
      <main className="home">
        <div className="skeleton" role="status">
          <span className="hidden-text">Connecting</span>
          <span />
          <span />
        </div>
      </main>
    );
  return (
    <main className="home">
      {(sessions.length > 0 || recordings.length > 0) && (
        <input
          type="search"
          placeholder="Search sessions and recordings"
          aria-label="Search sessions and recordings"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      {live.length > 0 && (
        <section aria-labelledby="live-sessions">
          <h2 id="live-sessions">Live sessions</h2>
          <ul className="cards">{live.map(card)}</ul>
        </section>
      )}
      {isTaught && <FirstSteps sessions={sessions} />}
      {ended.length > 0 && (
        <section aria-labelledby="ended-sessions">
          <h2 id="ended-sessions">Ended sessions (in memory)</h2>
          <ul className="cards">{ended.map(card)}</ul>
        </section>
      )}
      {query !== "" && found.length === 0 && shownRecordings.length === 0 && (
        <p className="state">Nothing is called “{query}”.</p>
      )}
      <RecordingTable
        {...{ recordings: shownRecordings, omitted, problem, navigate }}
        isSearch={query !== ""}
      />
      {children}
    </main>
  );
}

interface Recordings {
  readonly recordings: readonly RecordingSummary[];
  readonly omitted: number;
  readonly problem?: string;
}

/** The list on disk, read again from time to time while the page is seen. */
function useRecordings(client: DashboardApi): Recordings {
  const [state, setState] = useState<Recordings>({ recordings: [], omitted: 0 });
  useEffect(() => {
    const controller = new AbortController();
    const read = (): void => {
      if (document.visibilityState !== "visible") return;
      client.recordings(controller.signal).then(setState, (thrown: Error) => {
        if (!controller.signal.aborted) setState((before) => ({ ...before, problem: thrown.message }));
      });
    };
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [client]);
  return state;
}
