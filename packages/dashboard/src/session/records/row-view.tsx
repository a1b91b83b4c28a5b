import { type RecordKind, type SourceLocation, servedNote, type TimelineRow } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import {
  ArrowDownUp,
  Bot,
  Braces,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Code,
  Dot,
  Globe,
  type LucideIcon,
  MousePointerClick,
  Terminal,
  TriangleAlert,
} from "lucide-react";
import { memo, type ReactNode } from "react";
import { exactClockTime } from "../clock.js";

const KIND_ICON: Record<RecordKind, LucideIcon> = {
  action: MousePointerClick,
  error: CircleAlert,
  network: ArrowDownUp,
  request: ArrowDownUp,
  frame: ArrowDownUp,
  console: Terminal,
  page: Globe,
  state: Braces,
  agent: Bot,
  dom: Code,
  other: Dot,
};

interface Props {
  readonly id: string;
  readonly index: number;
  readonly row: TimelineRow | undefined;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  /** Where its code was written, once that is known. */
  readonly place?: SourceLocation | undefined;
  onToggle(sequence: number): void;
  onSelect(sequence: number): void;
}

/** One record in the list. The keys are those of the list. */
export const RowView = memo(function RowView(props: Props): ReactNode {
  const { id, index, row, top, isSelected, isOpen, place, onToggle, onSelect } = props;
  const position = { transform: `translateY(${top}px)` };
  if (!row) return <div className="row" style={position} aria-hidden="true" />;
  const hasEffects = row.effects.all > 0;
  const [text, end] = cutRow(row);
  const Icon =
    row.level === "error" ? CircleAlert : row.level === "warn" ? TriangleAlert : KIND_ICON[row.kind];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list
    <div
      id={id}
      className={`row ${row.level} ${row.isEffect ? "effect" : ""}`}
      style={position}
      role="row"
      aria-rowindex={index + 1}
      aria-level={row.isEffect ? 2 : 1}
      aria-selected={isSelected}
      aria-expanded={hasEffects ? isOpen : undefined}
      onClick={() => onSelect(row.sequence)}
    >
      <span className="time" role="gridcell">
        {exactClockTime(row.at)}
      </span>
      <span className="what" role="gridcell">
        {hasEffects ? (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list opens and closes with → and ←
          // biome-ignore lint/a11y/noStaticElementInteractions: the row says whether it is expanded
          <span
            className="toggle"
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row.sequence);
            }}
          >
            {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          </span>
        ) : (
          <span className="toggle" />
        )}
        <Icon aria-label={row.level === "error" || row.level === "warn" ? row.level : row.kind} />
        <span className="text" dir="auto">
          {row.label === undefined ? "" : <span className="label">{visibleText(row.label)} </span>}
          {visibleText(text)}
        </span>
        {end !== "" && <span className="text-end">{visibleText(end)}</span>}
        <Aside row={row} place={place} />
      </span>
    </div>
  );
});

/** How a request ended is at the end of its line, and is not to be cut off with a long address. */
function cutRow({ kind, text }: TimelineRow): readonly [text: string, end: string] {
  const end = kind === "network" ? (/ (?:\d{3}|failed)\b[^/]{0,40}$/.exec(text)?.[0] ?? "") : "";
  return [text.slice(0, text.length - end.length), end];
}

/** What a command caused, or where in the code something happened. */
function Aside({
  row: { effects, location: runs },
  place,
}: Pick<Props, "place"> & { row: TimelineRow }): ReactNode {
  if (effects.all > 0) return <span className="aside">{effectsText(effects)}</span>;
  const location = place ?? runs;
  if (!location) return null;
  return (
    <span
      className="aside place-in-code"
      title={visibleText(`${location.url}:${location.line}:${location.column}`)}
    >
      {visibleText(fileName(location.url))}:{location.line}
      {place ? "" : servedNote(location.url)}
    </span>
  );
}

export function effectsText({ all, requests, errors }: TimelineRow["effects"]): string {
  const counted = [
    requests > 0 ? `${requests} ${requests === 1 ? "request" : "requests"}` : "",
    errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}` : "",
  ].filter((part) => part !== "");
  return counted.length > 0 ? counted.join(", ") : `${all} ${all === 1 ? "effect" : "effects"}`;
}

/** The last part of an address, without its query. */
export function fileName(url: string): string {
  return (
    url
      .replace(/[?#].*$/, "")
      .split("/")
      .findLast((part) => part !== "") ?? url
  );
}
