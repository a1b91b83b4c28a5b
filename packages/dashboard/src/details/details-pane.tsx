import type { RecordDetails } from "@debug-bridge/protocol";
import { CopyButton } from "@debug-bridge/ui/components/copy-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { Link } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { formatRoute, type Navigate, type Route } from "../layout/route.js";
import { exactClockTime } from "../session/clock.js";
import { BodyOf } from "./request/body.js";
import { Effects, Why } from "./why.js";

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  readonly route: Route;
  readonly navigate: Navigate;
}

type State =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "read"; readonly details: RecordDetails };

/** Everything that is known about the selected record. */
export function DetailsPane({ reader, timeline, route, navigate }: Props): ReactNode {
  const { record } = route;
  const state = useDetails(reader, timeline, record);
  if (record === undefined)
    return <p className="state">Select a record to see its details: click it, or go to it with ↑ and ↓.</p>;
  if (state.kind === "failed")
    return (
      <p className="state" role="alert">
        {visibleText(state.message)}
      </p>
    );
  if (state.kind === "loading")
    return (
      <div className="skeleton" role="status">
        <span className="hidden-text">Reading the record</span>
        <span />
        <span />
      </div>
    );
  const { details } = state;
  const { row } = details;
  const link = `${location.origin}${location.pathname}${formatRoute({ timeline, record, text: "" })}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it by keyboard
    <article className="details" tabIndex={0} aria-label={`Record ${row.sequence}`}>
      <header className="details-header">
        <h3 className={row.level} dir="auto">
          {row.label === undefined ? "" : `${visibleText(row.label)}: `}
          {visibleText(row.text)}
        </h3>
        <p className="quiet">
          #{row.sequence} {row.type} at {exactClockTime(row.at)}
          <CopyButton label="Copy a link to this record" text={link} icon={<Link aria-hidden />} />
          <CopyButton label="Copy this record as JSON" text={JSON.stringify(details.record, null, 2)} />
        </p>
      </header>
      <BodyOf {...{ details, reader, timeline }} why={<Why {...{ details, route, navigate }} />} />
      <Effects {...{ details, route, navigate }} />
    </article>
  );
}

function useDetails(
  reader: TimelineReader,
  { kind, id }: TimelineAddress,
  record: number | undefined,
): State {
  const [state, setState] = useState<State>({ kind: "loading" });
  useEffect(() => {
    if (record === undefined) return;
    const controller = new AbortController();
    // What was shown stays until the next is here: moving through the list does not flicker.
    reader.record({ kind, id }, record, controller.signal).then(
      (details) => setState({ kind: "read", details }),
      (thrown: Error) => {
        if (!controller.signal.aborted) setState({ kind: "failed", message: thrown.message });
      },
    );
    return () => controller.abort();
  }, [reader, kind, id, record]);
  return state;
}
