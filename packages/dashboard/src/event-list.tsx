import { type RecordLine, recordLine, type TimelineRecord } from "@debug-bridge/protocol";
import { useDeferredValue, useState } from "react";

interface Props {
  readonly records: readonly TimelineRecord[];
  readonly sessionId: string | undefined;
}

/** Frequent types of little interest; hidden by default. */
const HIDDEN_TYPES = new Set([
  "dom_mutations",
  "ui_tree",
  "ui_tree_delta",
  "dom_snapshot",
  "vitals",
  "capabilities",
]);

const time = (timestamp: string): string => new Date(timestamp).toLocaleTimeString([], { hour12: false });

/** Where in the code it happened: file name (or the last folder of the URL), line and column; the whole URL as a tooltip. */
function Location({ line: { location } }: { readonly line: RecordLine }) {
  if (!location) return null;
  const file = location.url
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "")
    .at(-1);
  return (
    <span className="quiet" title={location.url}>
      {file}:{location.line}:{location.column}
    </span>
  );
}

export function EventList({ records, sessionId }: Props) {
  const [filter, setFilter] = useState("");
  const [showAll, setShowAll] = useState(false);
  const wanted = useDeferredValue(filter.trim().toLowerCase());
  const shown = records
    .filter((record) => !sessionId || record.sessionId === sessionId)
    .filter((record) => showAll || !HIDDEN_TYPES.has(record.type))
    .map((record) => ({ record, line: recordLine(record) }))
    .filter(({ record, line }) => `${record.type} ${line.text}`.toLowerCase().includes(wanted))
    .reverse();
  return (
    <section aria-label="Events">
      <div className="bar">
        <h2>{sessionId ? `Events of ${sessionId}` : "Latest events"}</h2>
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter events"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <label>
          <input type="checkbox" checked={showAll} onChange={(event) => setShowAll(event.target.checked)} />{" "}
          all types
        </label>
      </div>
      {shown.length === 0 && <p className="quiet">No events {records.length > 0 ? "match" : "yet"}.</p>}
      <ol>
        {shown.map(({ record, line }) => (
          <li key={`${record.sessionId} ${record.sequence}`} className={line.level}>
            <time dateTime={record.timestamp}>{time(record.timestamp)}</time>
            <code className="type">{record.type}</code>
            {!sessionId && <span className="session">{record.sessionId}</span>}
            <span className="text">{line.text}</span>
            <Location line={line} />
          </li>
        ))}
      </ol>
    </section>
  );
}
