import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { loadPlayer } from "./load-player.js";
import type { ReplayPlayer } from "./replay-player.js";

/** Nothing is loaded and nothing runs in the frame, whatever the page in it says. */
const FRAME = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">`;

interface Props {
  readonly title: string;
  /** The size of the page; nothing is seen until it is known. */
  readonly size: { readonly width: number; readonly height: number } | null | undefined;
  /** Whether there is something to show: without it there is no frame. */
  readonly exists: boolean;
  onPlayer(player: ReplayPlayer): void;
  /** What is drawn on top of the page. */
  readonly children?: ReactNode;
}

/** A sandboxed frame in which a player builds a page, as wide as there is room. */
export function ReplayFrame({ title, size, exists, onPlayer, children }: Props): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const scale = size ? Math.min(1, width / size.width) : 1;
  return (
    <div
      ref={box}
      className="replay-box"
      hidden={!size}
      style={size ? { width: size.width * scale, height: size.height * scale } : undefined}
    >
      {exists && (
        <iframe
          ref={frame}
          title={title}
          sandbox="allow-same-origin"
          srcDoc={FRAME}
          tabIndex={-1}
          onLoad={() => {
            const page = frame.current?.contentDocument;
            if (page) void loadPlayer().then((Player) => Player && onPlayer(new Player(page)));
          }}
          style={
            size
              ? { width: size.width, height: size.height, transform: `scale(${scale})` }
              : { width: 1, height: 1 }
          }
        />
      )}
      {children}
    </div>
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
