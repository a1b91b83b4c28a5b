import { type ReactNode, useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { Section } from "../details/section.js";
import { type ChangedBox, changedBoxes, type Pixels } from "./changed-boxes.js";
import { ChangedBoxes, Moment } from "./moment.js";
import { ReplayBeforeAfter } from "./replay/replay-before-after.js";
import { useFrame } from "./use-frame.js";

/** Pictures, and what is read of the DOM, follow a change by up to this time. */
const LATE_MS = 300;

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** When the command began and when it was answered. */
  readonly from: number;
  readonly to: number;
}

/** What the page looked like before and after a command, with what changed marked. Nothing without pictures of it. */
export function BeforeAfter({ reader, timeline, from, to }: Props): ReactNode {
  const before = useFrame(reader, timeline, from);
  const after = useFrame(reader, timeline, to + LATE_MS);
  const boxes = useBoxes(before?.url, after?.url);
  // Apps with the SDK have no pictures; the changes of their DOM say the same.
  if (before === null && after === null)
    return <ReplayBeforeAfter {...{ reader, timeline, from }} to={to + LATE_MS} />;
  if (!before || !after) return null;
  if (before.at === after.at)
    return (
      <Section title="Before and after">
        <p className="quiet">The page looked the same before and after.</p>
        <Marked frame={after} title="Before and after" boxes={[]} />
      </Section>
    );
  return (
    <Section title="Before and after">
      <div className="before-after">
        <Marked frame={before} title="Before" boxes={boxes ?? []} />
        <Marked frame={after} title="After" boxes={boxes ?? []} />
      </div>
    </Section>
  );
}

function Marked({
  frame: { url, at },
  title,
  boxes,
}: {
  readonly frame: { readonly url: string; readonly at: number };
  readonly title: string;
  readonly boxes: readonly ChangedBox[];
}): ReactNode {
  return (
    <Moment title={title} at={at}>
      <div className="marked">
        <img src={url} alt={title} />
        <ChangedBoxes boxes={boxes} />
      </div>
    </Moment>
  );
}

/** Where two pictures differ; undefined until it is known, and when they cannot be compared. */
function useBoxes(before: string | undefined, after: string | undefined): readonly ChangedBox[] | undefined {
  const [boxes, setBoxes] = useState<readonly ChangedBox[]>();
  useEffect(() => {
    let isOpen = true;
    setBoxes(undefined);
    if (before === undefined || after === undefined || before === after) return;
    Promise.all([pixelsOf(before), pixelsOf(after)]).then(
      ([one, other]) => isOpen && setBoxes(changedBoxes(one, other)),
      () => {},
    );
    return () => {
      isOpen = false;
    };
  }, [before, after]);
  return boxes;
}

async function pixelsOf(url: string): Promise<Pixels> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height);
}
