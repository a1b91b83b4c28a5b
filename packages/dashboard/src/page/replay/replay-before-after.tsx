import { type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import type { ReplayPart, TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import { Section } from "../../details/section.js";
import type { ChangedBox } from "../changed-boxes.js";
import { ChangedBoxes, Moment } from "../moment.js";
import { ReplayFrame } from "./replay-frame.js";
import type { ReplayPlayer } from "./replay-player.js";

const NOTHING = { segment: 0, next: 0 };
/** An app sends what changed when it is idle; that takes no longer. */
const SENT_MS = 2_000;

interface Props {
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  readonly from: number;
  readonly to: number;
}

/** An app before and after a command, built from the changes of its DOM, with what changed marked. Nothing where it was not recorded. */
export function ReplayBeforeAfter({ reader, timeline, from, to }: Props): ReactNode {
  const parts = useParts(reader, timeline, from, to);
  const [isSame, setSame] = useState(false);
  if (!parts) return null;
  const { before, after } = parts;
  const isMarked = before.segment === after.segment;
  const shared = { from, to, isMarked };
  return (
    <Section title="Before and after">
      {!isMarked && (
        <p className="quiet">
          The page was loaded or recorded again in between, so what changed is not marked.
        </p>
      )}
      {isSame && <p className="quiet">Nothing changed that a replay shows.</p>}
      <div className="before-after">
        {!isSame && <Replayed {...shared} part={before} at={from} title="Before" />}
        <Replayed
          {...shared}
          part={after}
          at={to}
          title={isSame ? "Before and after" : "After"}
          onSame={setSame}
        />
      </div>
    </Section>
  );
}

interface ReplayedProps {
  readonly part: ReplayPart;
  readonly at: number;
  readonly title: string;
  readonly from: number;
  readonly to: number;
  /** Changes can be marked only if both moments know the same nodes. */
  readonly isMarked: boolean;
  onSame?(isSame: boolean): void;
}

function Replayed({ part, at, title, from, to, isMarked, onSame }: ReplayedProps): ReactNode {
  const [player, setPlayer] = useState<ReplayPlayer>();
  const [shown, setShown] = useState<ReturnType<ReplayPlayer["show"]>>();
  const [boxes, setBoxes] = useState<readonly ChangedBox[]>([]);
  useEffect(() => {
    if (!player) return;
    const { segment, next } = player.known;
    player.add(part.segment === segment ? { ...part, lists: part.lists.slice(next) } : part);
    setShown(player.show(at));
  }, [player, part, at]);
  // Where something is drawn is known once the frame has its size.
  useLayoutEffect(() => {
    if (!player || !shown) return;
    const changes = isMarked ? player.changes(from, to) : [];
    setBoxes(changes ?? []);
    onSame?.(changes === undefined);
  }, [player, shown, isMarked, from, to, onSame]);
  return (
    <Moment title={title} at={shown?.at ?? at}>
      <ReplayFrame title={title} size={shown} exists onPlayer={setPlayer}>
        <ChangedBoxes boxes={boxes} />
      </ReplayFrame>
    </Moment>
  );
}

interface Parts {
  readonly before: ReplayPart;
  readonly after: ReplayPart;
}

/** The replay of two moments, which is often one; read again once the app has sent all of it. */
function useParts(
  reader: TimelineReader,
  { kind, id }: TimelineAddress,
  from: number,
  to: number,
): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const part = (at: number) => reader.replay?.({ kind, id }, at, NOTHING, signal);
    const read = async (): Promise<void> => {
      const after = await part(to);
      const before = after && after.segment <= from ? after : await part(from);
      if (!signal.aborted) setParts(before && after ? { before, after } : undefined);
    };
    // What was read before stays when the hub does not answer.
    const readSafely = (): void => void read().catch(() => {});
    readSafely();
    const left = to + SENT_MS - Date.now();
    const timer = left > 0 ? setTimeout(readSafely, left) : undefined;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [reader, kind, id, from, to]);
  return parts;
}
