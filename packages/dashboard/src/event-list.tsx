import type { TimelineRecord } from "@debug-bridge/protocol";
import { useDeferredValue, useState } from "react";
import { summarize } from "./summarize.js";

interface Props {
  readonly records: readonly TimelineRecord[];
  readonly sessionId: string | undefined;
}

/** Types that come often and say little; hidden until asked for. */
const NOISE = new Set([
  "dom_mutations",
  "ui_tree",
  "ui_tree_delta",
  "dom_snapshot",
  "vitals",
  "capabilities",
]);

const time = (timestamp: string): string => new Date(timestamp).toLocaleTimeString([], { hour12: false });

export function EventList({ records, sessionId }: Props) {
  const [filter, setFilter] = useState("");
  const [withNoise, showNoise] = useState(false);
  const wanted = useDeferredValue(filter.trim().toLowerCase());
  const shown = records
    .filter((record) => !sessionId || record.sessionId === sessionId)
    .filter((record) => withNoise || !NOISE.has(record.type))
    .map((record) => ({ record, line: summarize(record) }))
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
          <input type="checkbox" checked={withNoise} onChange={(event) => showNoise(event.target.checked)} />{" "}
          all types
        </label>
      </div>
      {shown.length === 0 && <p className="quiet">No events {records.length > 0 ? "match" : "yet"}.</p>}
      <ol>
        {shown.map(({ record, line }) => (
          <li key={`${record.sessionId} ${record.sequence}`} className={line.tone}>
            <time dateTime={record.timestamp}>{time(record.timestamp)}</time>
            <code className="type">{record.type}</code>
            {!sessionId && <span className="session">{record.sessionId}</span>}
            <span className="text">{line.text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
