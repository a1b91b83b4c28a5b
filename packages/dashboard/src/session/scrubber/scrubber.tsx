import type { TimelineBuckets } from "@debug-bridge/protocol";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import type { Navigate, Route } from "../../layout/route.js";
import { clockTime, durationText, exactClockTime } from "../clock.js";
import { drawLanes, LANES, laneCounts } from "./draw-lanes.js";
import { useBuckets } from "./use-buckets.js";

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** Counts up with new records. */
  readonly ticks: number;
  readonly route: Route;
  readonly navigate: Navigate;
  /** When the selected record happened. */
  readonly selectedAt: number | undefined;
  /** Whether all records are counted. */
  readonly isComplete: boolean | undefined;
  onTime(at: number): void;
}

/** A shorter movement of the pointer is a click. */
const MIN_DRAG = 0.005;
const KEY_STEP = 1 / 100;
const EXACT_BELOW_MS = 10_000;

/** The whole time on one axis: how much happened when, in lanes, and where the errors are. */
export function Scrubber({ route, navigate, onTime, ...props }: Props): ReactNode {
  const { reader, timeline, ticks, isComplete } = props;
  const buckets = useBuckets(reader, timeline, ticks, isComplete ?? true);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const [moment, setMoment] = useState(1);
  /** A moment that was chosen here stays, although the record that it leads to is a little later. */
  const isChosenHere = useRef(false);
  const { from = 0, to = 0 } = buckets ?? {};
  useEffect(() => {
    if (props.selectedAt !== undefined && to > from && !isChosenHere.current)
      setMoment(Math.max(0, Math.min(1, (props.selectedAt - from) / (to - from))));
    isChosenHere.current = false;
  }, [props.selectedAt, from, to]);
  useEffect(() => {
    const draw = (): void => {
      if (canvas.current && buckets) drawLanes(canvas.current, buckets);
    };
    draw();
    const observer = new ResizeObserver(draw);
    if (canvas.current) observer.observe(canvas.current);
    // The theme changes the colours.
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ["style"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", draw);
    return () => {
      observer.disconnect();
      theme.disconnect();
      system.removeEventListener("change", draw);
    };
  }, [buckets]);
  if (!buckets || buckets.to === 0) return <div className="scrubber empty" />;

  const timeAt = (share: number): number => Math.round(from + share * (to - from));
  const shareOf = (time: number): number =>
    to === from ? 0 : Math.max(0, Math.min(1, (time - from) / (to - from)));
  const shareAt = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / width));
  };
  const jump = (share: number): void => {
    setMoment(share);
    isChosenHere.current = true;
    onTime(timeAt(share));
  };
  const finish = (): void => {
    if (!drag) return;
    setDrag(undefined);
    const [start, end] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (end - start < MIN_DRAG) jump(start);
    else navigate({ ...route, from: timeAt(start), to: timeAt(end) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    const share = step !== undefined ? moment + step : { Home: 0, End: 1 }[event.key];
    if (share === undefined) return;
    event.preventDefault();
    jump(Math.max(0, Math.min(1, share)));
  };
  // The ends of a short stretch differ in their milliseconds only.
  const endText = to - from < EXACT_BELOW_MS ? exactClockTime : clockTime;
  const brush =
    drag ??
    (route.from === undefined ? undefined : { from: shareOf(route.from), to: shareOf(route.to ?? to) });
  return (
    <div className="scrubber">
      <div className="lane-names" aria-hidden>
        {LANES.map(({ name }) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div
        className="axis"
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(moment * 100)}
        aria-valuetext={`${clockTime(timeAt(moment))}; ${summaryText(buckets)}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: shareAt(event), to: shareAt(event) });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, to: shareAt(event) })}
        onPointerUp={finish}
      >
        <canvas ref={canvas} />
        {brush && (
          <span
            className="brush"
            style={{
              left: `${100 * Math.min(brush.from, brush.to)}%`,
              width: `${100 * Math.abs(brush.to - brush.from)}%`,
            }}
          />
        )}
        <span className="now" style={{ left: `${100 * moment}%` }} />
      </div>
      <div className="scale quiet">
        <span>{endText(from)}</span>
        <span>{durationText(to - from)}</span>
        <span>{endText(to)}</span>
      </div>
    </div>
  );
}

function summaryText(buckets: TimelineBuckets): string {
  const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);
  const lanes = LANES.map((lane) => `${lane.name} ${sum(laneCounts(buckets, lane.kinds))}`);
  return [...lanes.slice(0, -1), `errors ${sum(buckets.errors)}`].join(", ");
}
