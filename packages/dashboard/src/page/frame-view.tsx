import type { ReactNode } from "react";
import { exactClockTime } from "../session/clock.js";
import type { FrameState } from "./use-frame.js";

interface Props {
  readonly frame: FrameState;
  /** The moment that is asked for; the newest when left out. */
  readonly at: number | undefined;
}

/** A picture of the page with its time, or why there is none. */
export function FrameView({ frame, at }: Props): ReactNode {
  if (frame === undefined) return <p className="quiet note">Waiting for a picture…</p>;
  if (frame === null)
    return (
      <p className="quiet note">
        There is no screenshot of this moment. Screenshots are taken while somebody views or records a page.
      </p>
    );
  return (
    <figure className="picture">
      <img src={frame.url} alt={at === undefined ? "What the page shows" : "What the page showed"} />
      <figcaption className="quiet">
        {at === undefined ? "Live, changed at " : "The page as of "}
        {exactClockTime(frame.at)}
      </figcaption>
    </figure>
  );
}
