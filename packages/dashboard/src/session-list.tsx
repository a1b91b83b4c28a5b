import { plural, type SessionSummary } from "@debug-bridge/protocol";

interface Props {
  readonly sessions: readonly SessionSummary[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

/** What the person lets agents do in a tab. */
function accessText({ level, site }: NonNullable<SessionSummary["access"]>): string {
  if (level === "full") return "shared: full access";
  return level === "read-only" ? "shared: read-only" : `shared: only ${site ?? "its site"}`;
}

export function SessionList({ sessions, selected, onSelect }: Props) {
  return (
    <nav aria-label="Sessions">
      <h2>Sessions</h2>
      {sessions.length === 0 && (
        <p className="quiet">
          Nothing is connected yet. Add <code>{`<script src="${location.origin}/sdk.js"></script>`}</code> to
          your page.
        </p>
      )}
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <button
              type="button"
              aria-pressed={session.id === selected}
              onClick={() => onSelect(session.id === selected ? undefined : session.id)}
            >
              <span
                className={session.connected ? "dot on" : "dot"}
                role="img"
                aria-label={session.connected ? "connected" : "gone"}
              />
              <strong>{session.appName ?? session.title ?? session.id}</strong>
              <span className="kind">{session.kind}</span>
              <span className="quiet">{session.url ?? session.id}</span>
              <span className="quiet">
                {session.access ? `${accessText(session.access)} · ` : ""}
                {session.leaseOwner ? `used by ${session.leaseOwner} · ` : ""}
                {session.id} · {plural(session.apps, "app")} · {plural(session.agents, "agent")}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
