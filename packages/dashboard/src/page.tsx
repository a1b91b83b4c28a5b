import { useState } from "react";
import { EventList } from "./event-list.js";
import type { HubState } from "./hub-state.js";
import { SessionList } from "./session-list.js";
import { useHub } from "./use-hub.js";

const CONNECTION_TEXT: Record<HubState["connection"], string> = {
  connecting: "connecting…",
  live: "live",
  lost: "hub not reachable, trying again…",
  refused: "access denied",
};

export function Page({ token }: { token: string | undefined }) {
  const hub = useHub(token);
  const [selected, select] = useState<string>();
  return (
    <>
      <header>
        <h1>Debug Bridge</h1>
        <output className={`state ${hub.connection}`}>{CONNECTION_TEXT[hub.connection]}</output>
      </header>
      {hub.waiting.length > 0 && <Waiting clients={hub.waiting} />}
      {hub.connection === "refused" ? (
        <Refused problem={hub.problem} />
      ) : (
        <main>
          <SessionList sessions={[...hub.sessions.values()]} selected={selected} onSelect={select} />
          <EventList records={hub.records} sessionId={selected} />
        </main>
      )}
    </>
  );
}

/** Only the person in the browser can answer: any program with the token could press a button here. */
function Waiting({ clients }: { clients: readonly string[] }) {
  return (
    <section className="waiting" role="status">
      <strong>{clients.join(", ")}</strong> waits: no tab is shared. Open the Debug Bridge popup in your
      browser (its icon shows “?”) and choose this tab, all tabs or no.
    </section>
  );
}

function Refused({ problem }: { problem: string | undefined }) {
  return (
    <section className="refused" role="alert">
      <h2>This page needs the hub's token</h2>
      <p>
        Open the address that <code>debug-bridge up</code> printed; it ends in <code>#token=…</code>.
      </p>
      <p className="quiet">{problem}</p>
    </section>
  );
}
