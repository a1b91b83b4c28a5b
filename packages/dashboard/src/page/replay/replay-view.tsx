import { type ReactNode, useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import { exactClockTime } from "../../session/clock.js";
import { ReplayFrame } from "./replay-frame.js";
import type { ReplayPlayer } from "./replay-player.js";

const NOTHING = { segment: 0, next: 0 };

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** The moment that is shown; the last one when left out. */
  readonly at: number | undefined;
  /** Changes when there is something new. */
  readonly newest?: number | undefined;
  /** Whether the page is still recorded. */
  readonly isLive: boolean;
}

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly at: number;
}

/** What an app looked like at a moment, built again from the changes of its DOM. */
export function ReplayView({ reader, timeline, at, newest, isLive }: Props): ReactNode {
  const { kind, id } = timeline;
  const [player, setPlayer] = useState<ReplayPlayer>();
  // Without a replay there is no frame.
  const [exists, setExists] = useState(false);
  const [shown, setShown] = useState<Shown | null>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another newest one means that there is more to read
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    Promise.resolve(reader.replay?.({ kind, id }, at ?? "last", player?.known ?? NOTHING, signal)).then(
      (part) => {
        if (signal.aborted) return;
        if (!part) setShown(null);
        else if (!player) setExists(true);
        else {
          player.add(part);
          setShown(player.show(at));
        }
      },
      () => {},
    );
    return () => controller.abort();
  }, [player, reader, kind, id, at, newest]);
  return (
    <figure className="picture replay">
      <ReplayFrame
        title={at === undefined && isLive ? "What the page shows" : "What the page showed"}
        size={shown}
        exists={exists}
        onPlayer={setPlayer}
      />
      <figcaption className="quiet">
        {shown === undefined && "Waiting for the page…"}
        {shown === null &&
          "The page was not captured at this moment. Pages are captured while somebody views or records them."}
        {shown &&
          `${at === undefined && isLive ? "Live, changed at" : "The page as of"} ${exactClockTime(shown.at)}. Striped parts are not recorded.`}
      </figcaption>
    </figure>
  );
}
