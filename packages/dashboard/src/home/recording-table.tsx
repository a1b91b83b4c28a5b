import type { RecordingSummary } from "@debug-bridge/protocol";
import { exactTime, timeAgo } from "@debug-bridge/ui/text/time.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { formatRoute, type Navigate } from "../layout/route.js";
import { durationText, sizeText } from "../session/clock.js";

interface Props {
  readonly recordings: readonly RecordingSummary[];
  readonly omitted: number;
  readonly problem: string | undefined;
  readonly isSearch: boolean;
  readonly navigate: Navigate;
}

/** What was written to disk: sessions of a hub with `--record`, and agents. */
export function RecordingTable({ recordings, omitted, problem, isSearch, navigate }: Props): ReactNode {
  if (recordings.length === 0 && isSearch) return null;
  return (
    <section aria-labelledby="recordings">
      <h2 id="recordings">Recordings</h2>
      {problem !== undefined && (
        <p className="quiet">The recordings cannot be listed: {visibleText(problem)}</p>
      )}
      {problem === undefined && recordings.length === 0 && (
        <p className="quiet">
          None yet. Start the hub with <code>debug-bridge up --record</code> to keep all records of all
          sessions.
        </p>
      )}
      {recordings.length > 0 && (
        <div className="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col">Started</th>
                <th scope="col">Length</th>
                <th scope="col">Size</th>
              </tr>
            </thead>
            <tbody>
              {recordings.map((recording) => (
                <RecordingRow key={recording.id} recording={recording} navigate={navigate} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {omitted > 0 && <p className="quiet">{omitted} older ones are not listed.</p>}
    </section>
  );
}

function RecordingRow({
  recording,
  navigate,
}: {
  recording: RecordingSummary;
  navigate: Navigate;
}): ReactNode {
  const { id, name, kind, startTime, bytes, isRunning, agent } = recording;
  const route = { timeline: { kind: "recording", id }, text: "" } as const;
  return (
    <tr>
      <td>
        <a
          href={formatRoute(route)}
          onClick={(event) => {
            event.preventDefault();
            navigate(route);
          }}
        >
          {visibleText(name)}
        </a>
        {agent !== undefined && <span className="quiet"> {visibleText(agent)}</span>}
      </td>
      <td>
        {visibleText(kind)}
        {isRunning && ", running"}
      </td>
      <td title={exactTime(startTime)}>{ago(startTime)}</td>
      <td>{lengthOf(recording)}</td>
      <td>{sizeText(bytes)}</td>
    </tr>
  );
}

const ago = (time: string): string => {
  const text = timeAgo(time);
  return text === "now" ? text : `${text} ago`;
};

function lengthOf({ startTime, endTime, lastWrittenAt }: RecordingSummary): string {
  const end = Date.parse(endTime ?? lastWrittenAt ?? "");
  const length = end - Date.parse(startTime);
  return Number.isNaN(length) ? "?" : durationText(Math.max(0, length));
}
