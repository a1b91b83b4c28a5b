import type { ReactNode } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { FrameView } from "./frame-view.js";
import { ReplayView } from "./replay/replay-view.js";
import { useFrame } from "./use-frame.js";

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** The moment that is shown; the last one when left out. */
  readonly at: number | undefined;
}

/** What the page looked like at a moment. */
export function PastPage({ reader, timeline, at }: Props): ReactNode {
  const frame = useFrame(reader, timeline, at);
  return (
    <div className="page-pane">
      {frame === null ? (
        <ReplayView {...{ reader, timeline, at }} isLive={false} />
      ) : (
        <FrameView frame={frame} at={at ?? Number.POSITIVE_INFINITY} />
      )}
    </div>
  );
}
