import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import { exactClockTime } from "../../session/clock.js";
import { loadPlayer } from "./load-player.js";
import type { ReplayPlayer } from "./replay-player.js";

/** Nothing is loaded and nothing runs in the frame, whatever the page in it says. */
const FRAME = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">`;

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
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<ReplayPlayer>();
  // Without a replay there is no frame.
  const [exists, setExists] = useState(false);
  const [shown, setShown] = useState<Shown | null>();
  const width = useWidth(box);
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
  const scale = shown ? Math.min(1, width / shown.width) : 1;
  return (
    <figure className="picture replay">
      <div
        ref={box}
        className="replay-box"
        hidden={!shown}
        style={shown ? { height: Math.round(shown.height * scale) } : undefined}
      >
        {exists && (
          <iframe
            ref={frame}
            title={at === undefined && isLive ? "What the page shows" : "What the page showed"}
            sandbox="allow-same-origin"
            srcDoc={FRAME}
            tabIndex={-1}
            onLoad={() => {
              const page = frame.current?.contentDocument;
              if (page) void loadPlayer().then((Player) => Player && setPlayer(new Player(page)));
            }}
            style={
              shown
                ? { width: shown.width, height: shown.height, transform: `scale(${scale})` }
                : { width: 1, height: 1 }
            }
          />
        )}
      </div>
      <figcaption className="quiet">
        {shown === undefined && "Waiting for the page…"}
        {shown === null &&
          "There is no replay of this moment. An app is recorded while somebody looks at it or records it."}
        {shown &&
          `${at === undefined && isLive ? "Live, changed at" : "The page as of"} ${exactClockTime(shown.at)}. Striped parts are not recorded.`}
      </figcaption>
    </figure>
  );
}

function useWidth(box: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = box.current?.parentElement;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
